import type pg from 'pg';
import type { Logger } from 'pino';
import { currentRequest } from '../requests/current-request';
import type { Connections, DatabaseOptions } from './connections';
import type { ResultFormat } from './json-rows';
import { PositionReader } from './log-position';
import { NotCaughtUp } from './database-errors';
import { isReplicaError, Replica } from './replica';
import { isReadOnly, type Session } from './statements';

/** Who answered reads, and which replicas do. */
export interface ReplicaCounts {
  /** Reads by the server that answered them: `primary`, or the host and port of a replica. */
  readonly reads: Readonly<Record<string, number>>;
  /** Reads that failed on a replica and were repeated on the primary. */
  readonly repeated: number;
  /** By replica, 1 while it is used. */
  readonly used: Readonly<Record<string, 0 | 1>>;
}

/** How many statements more a replica may have to do than the primary, before that shares the reads. */
const preference = 1;
const primaryName = 'primary';

/**
 * Chooses who answers. In a request that only reads, statements outside of transactions and transactions that only read
 * go to the replica with least to do, which first has to reach what the primary has at that moment: whatever was
 * committed anywhere before is seen, as on the primary. The primary answers if the replica does not get so far in time,
 * if it fails, and if it has more to do.
 */
export class Replicas {
  readonly pools: readonly pg.Pool[];
  private readonly replicas: readonly Replica[];
  private readonly position: PositionReader;
  private readonly reads = new Map<string, number>();
  private repeated = 0;

  constructor(
    urls: readonly string[],
    private readonly primary: Connections,
    private readonly openPrimary: () => Promise<Session>,
    longestRead: number,
    log: Logger,
    options: DatabaseOptions,
  ) {
    this.position = new PositionReader(primary.direct);
    this.replicas = urls.map((url) => new Replica(url, this.position, longestRead, log, options));
    this.pools = this.replicas.map(({ pool }) => pool);
    for (const { name } of [{ name: primaryName }, ...this.replicas]) this.reads.set(name, 0);
  }

  /** A session whose statements run where they may. */
  open(): Promise<Session> {
    const request = currentRequest();
    const isReading = request?.isReading && !request.hasEnded;
    return isReading ? Promise.resolve(new ChoosingSession(this, this.openPrimary)) : this.openPrimary();
  }

  /** Asks a session for something that only reads, and another one if the first fails. `ask` releases its session. */
  async read<T>(ask: (session: Session) => Promise<T>): Promise<T> {
    const replica = this.choose();
    if (replica) {
      try {
        const answer = await ask(await replica.open());
        this.count(replica.name);
        return answer;
      } catch (error) {
        if (!isReplicaError(error)) throw error;
        if (!(error instanceof NotCaughtUp)) this.repeated++;
      }
    }
    this.count(primaryName);
    return ask(await this.openPrimary());
  }

  get counts(): ReplicaCounts {
    return {
      reads: Object.fromEntries(this.reads),
      repeated: this.repeated,
      used: Object.fromEntries(this.replicas.map(({ name, isUsable }) => [name, isUsable ? 1 : 0])),
    };
  }

  renew(): void {
    for (const replica of this.replicas) replica.renew();
  }

  async close(): Promise<void> {
    this.position.close();
    await Promise.all(this.replicas.map((replica) => replica.close()));
  }

  /** The replica with least to do; undefined: the primary. */
  private choose(): Replica | undefined {
    const usableReplicas = this.replicas.filter(({ isUsable }) => isUsable);
    const [freeReplica] = usableReplicas.toSorted((left, right) => left.load - right.load);
    const { totalCount, idleCount, waitingCount } = this.primary.pool;
    const primaryLoad = totalCount - idleCount + waitingCount;
    return freeReplica && freeReplica.load <= primaryLoad + preference ? freeReplica : undefined;
  }

  private count(name: string): void {
    this.reads.set(name, (this.reads.get(name) ?? 0) + 1);
  }
}

/** Runs what only reads; if a replica fails in it, once more, with the rest of the request, on the primary. */
export async function repeatOnPrimary<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const request = currentRequest();
    if (!request || !isReplicaError(error)) throw error;
    request.isReading = false;
    return run();
  }
}

async function runOn<T>(session: Session, ask: (session: Session) => Promise<T>): Promise<T> {
  try {
    return await ask(session);
  } finally {
    session.release();
  }
}

/** A session that opens connections for its statements; with the first that is more than a read, it keeps one. */
class ChoosingSession implements Session {
  private kept: Promise<Session> | undefined;

  constructor(
    private readonly replicas: Replicas,
    private readonly openPrimary: () => Promise<Session>,
  ) {}

  async query(sql: string, parameters?: readonly unknown[], form?: ResultFormat): Promise<pg.QueryResult> {
    if (!this.kept && isRepeatable(sql))
      return this.replicas.read((session) => runOn(session, () => session.query(sql, parameters, form)));
    if (!this.kept && /^start transaction\b.* read only$/i.test(sql))
      return this.replicas.read((session) => this.begin(session, sql));
    this.kept ??= this.openPrimary();
    return (await this.kept).query(sql, parameters, form);
  }

  /** Begins a transaction that only reads, which stays where it has begun. */
  private async begin(session: Session, sql: string): Promise<pg.QueryResult> {
    try {
      const answer = await session.query(sql);
      this.kept = Promise.resolve(session);
      return answer;
    } catch (error) {
      session.release();
      throw error;
    }
  }

  release(): void {
    this.kept?.then((session) => session.release()).catch(() => undefined);
  }
}

/** Whether a statement does nothing but read. Locks of a replica would exclude nobody elsewhere. */
function isRepeatable(sql: string): boolean {
  return isReadOnly(sql) && !/\bfor (no key )?(update|share)\b|\bfor key share\b|advisory|pg_notify/i.test(sql);
}
