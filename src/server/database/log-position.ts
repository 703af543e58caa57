import pg from 'pg';
import { destroyConnection } from './destroy-connection';
import { oneRow } from './one-row';

/** How far a server of a database has come in its write-ahead log. */
export interface LogPosition {
  /** The same for the primary and its replicas. */
  readonly database: string;
  readonly isReplica: boolean;
  /** A replica that becomes the primary begins a new one: places of different timelines cannot be compared. */
  readonly timeline: number;
  /** The primary has stored, or a replica has replayed, everything before this place. */
  readonly bytes: number;
}

/** Milliseconds within which a server has to connect, and to respond. */
const responseLimit = 1_500;

/**
 * A commit is acknowledged, and visible to others, once it is flushed, or inserted where commits are asynchronous. The
 * timeline of a replica is that of a log record which it is known to have replayed: it may lag behind, but is never one
 * that the replica does not follow.
 */
const positionStatement = `
  select (select system_identifier from pg_control_system()) || ' ' ||
      (select oid from pg_database where datname = current_database()) as database,
    pg_is_in_recovery() as "isReplica",
    case when pg_is_in_recovery()
      then (select greatest(c.timeline_id, r.min_recovery_end_timeline) from pg_control_checkpoint() c, pg_control_recovery() r)
      else ('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::integer end as timeline,
    (case when pg_is_in_recovery() then pg_last_wal_replay_lsn()
      when current_setting('synchronous_commit') = 'off' then pg_current_wal_insert_lsn()
      else pg_current_wal_flush_lsn() end - '0/0')::float8 as bytes`;

/** Asks one server for its position, on a connection of its own that is reopened when it is lost. */
export class PositionReader {
  private client: pg.Client | undefined;
  private connection: Promise<unknown> | undefined;
  private current: Promise<unknown> = Promise.resolve();
  private next: Promise<LogPosition> | undefined;
  private isClosed = false;

  /** `onLost` is called when its connection has ended. The end of one that was given up says nothing of the next. */
  constructor(
    private readonly config: pg.ClientConfig,
    private readonly onLost: () => void = () => undefined,
  ) {}

  /** The position at a moment after this call. Calls that come while the server is being asked share the next question. */
  read(): Promise<LogPosition> {
    this.next ??= this.current.then(() => {
      const answer = this.ask();
      this.current = answer.catch(() => undefined);
      this.next = undefined;
      return answer;
    });
    return this.next;
  }

  close(): void {
    this.isClosed = true;
    if (this.client) destroyConnection(this.client);
  }

  private async ask(): Promise<LogPosition> {
    if (this.isClosed) throw new Error('The program is stopping.');
    const client = (this.client ??= this.open());
    try {
      await this.connection;
      return oneRow(await client.query<LogPosition>({ name: 'position', text: positionStatement }));
    } catch (error) {
      this.forget(client);
      throw error;
    }
  }

  private open(): pg.Client {
    const limits = { connectionTimeoutMillis: responseLimit, query_timeout: responseLimit };
    const client = new pg.Client({ ...this.config, ...limits, application_name: 'assay-position' });
    // The next question fails with the error.
    client.on('error', () => undefined);
    client.once('end', () => {
      if (this.client !== client) return;
      this.forget(client);
      this.onLost();
    });
    this.connection = client.connect();
    return client;
  }

  private forget(client: pg.Client): void {
    if (this.client === client) this.client = undefined;
    destroyConnection(client);
  }
}

/** Whether a server has everything that another one had at a position. */
export function hasReached({ database, timeline, bytes }: LogPosition, target: LogPosition): boolean {
  return database === target.database && timeline === target.timeline && bytes >= target.bytes;
}
