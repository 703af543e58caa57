import pg from 'pg';
import type { Logger } from 'pino';
import { Connections, type DatabaseOptions } from './connections';
import { NotCaughtUp } from './database-errors';
import { hasReached, PositionReader, type LogPosition } from './log-position';
import { logSlowStatements } from './slow-statements';
import { createPreparedSessions, type Session } from './statements';
import { responseTimeout } from './timeouts';

/** Milliseconds for which a reader waits until a replica has what the primary has. */
const maxWait = 50;
/** Milliseconds between two looks at a replica that nobody waits for, and while somebody does. */
const lookInterval = 500;
const waitInterval = 1;

/** The code of a statement that took too long, or that the program ended: it is not run again. */
const cancelled = '57014';

const replicaErrors = new WeakSet<object>();

/** Whether an error comes from a replica, so that the same may work on the primary. */
export function isReplicaError(error: unknown): boolean {
  return error instanceof NotCaughtUp || (typeof error === 'object' && error !== null && replicaErrors.has(error));
}

interface Wait {
  readonly target: LogPosition;
  end(hasCaughtUp: boolean): void;
}

/**
 * One replica. It is looked at all the time: one that does not respond is left out, what runs on it is given up, and it
 * returns when it responds again; so is one that was too far behind, until it has reached what it missed.
 */
export class Replica {
  readonly pool: pg.Pool;
  readonly name: string;
  private readonly connections: Connections;
  private readonly sessions: ReturnType<typeof createPreparedSessions>;
  private readonly openSession: () => Promise<Session>;
  private readonly reader: PositionReader;
  private readonly running = new Set<(reason: Error) => void>();
  private readonly waits = new Set<Wait>();
  /** The last known position; undefined while it is left out. */
  private position: LogPosition | undefined;
  /** The position of the primary that it did not reach in time. */
  private missedPosition: LogPosition | undefined;
  private isReported = false;
  private isClosed = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    url: string,
    private readonly primary: PositionReader,
    longestRead: number,
    private readonly log: Logger,
    { connections, slowAfter = 0 }: DatabaseOptions,
  ) {
    this.connections = new Connections(url, longestRead, log, { connections });
    this.pool = this.connections.pool;
    const { host, port } = new pg.Client({ connectionString: url });
    this.name = `${host}:${port}`;
    this.sessions = createPreparedSessions(this.pool, {
      onUnknown: () => undefined,
      patience: responseTimeout(longestRead),
      connections: this.pool.options.max,
      prepare: true,
    });
    this.openSession = logSlowStatements(this.sessions.session, slowAfter, log);
    this.reader = new PositionReader(this.connections.direct, () => this.leaveOut('its connection was lost'));
    void this.look();
  }

  /** Whether it is worth asking: it responds, and has reached what it missed. */
  get isUsable(): boolean {
    const { position, missedPosition } = this;
    if (!position) return false;
    return !missedPosition || position.timeline > missedPosition.timeline || hasReached(position, missedPosition);
  }

  /** How much is running on it. */
  get load(): number {
    return this.running.size;
  }

  /**
   * A session that sees everything that was committed before this call. Throws NotCaughtUp if the replica does not get
   * so far in time. All that runs on the session fails as soon as the replica is left out.
   */
  async open(): Promise<Session> {
    if (!(await this.run(() => this.catchUp()))) throw new NotCaughtUp(`The replica at ${this.name} is behind.`);
    const openedSession = this.openSession();
    const session = await this.run(() => openedSession).catch((error: unknown) => {
      openedSession.then((unusedSession) => unusedSession.release()).catch(() => undefined);
      throw error;
    });
    let lastAnswer: Promise<unknown> = Promise.resolve();
    return {
      query: (...statement) =>
        this.run(() => {
          const answer = session.query(...statement);
          lastAnswer = answer.catch(() => undefined);
          return answer;
        }),
      // A statement that was given up may still be running.
      release: () => void lastAnswer.then(() => session.release()),
    };
  }

  renew(): void {
    this.sessions.renew();
  }

  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.timer);
    this.reader.close();
    await this.connections.close();
  }

  /** Runs something that fails as soon as the replica is left out. */
  private run<T>(work: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const fail = (error: Error): void => {
        if ((error as { code?: unknown }).code !== cancelled) replicaErrors.add(error);
        reject(error);
      };
      if (!this.position) return fail(new NotCaughtUp(`The replica at ${this.name} is left out.`));
      this.running.add(fail);
      void work()
        .then(resolve, fail)
        .finally(() => this.running.delete(fail));
    });
  }

  private async catchUp(): Promise<boolean> {
    const deadline = performance.now() + maxWait;
    let timer: NodeJS.Timeout | undefined;
    const end = new Promise<undefined>((resolve) => {
      timer = setTimeout(resolve, maxWait, undefined);
    });
    // A primary that fails reports it itself.
    const target = await Promise.race([this.primary.read().catch(() => undefined), end]);
    clearTimeout(timer);
    if (target === undefined || !this.position) return false;
    if (hasReached(this.position, target)) return true;
    const hasCaughtUp = this.position.timeline === target.timeline && (await this.waitFor(target, deadline));
    if (!hasCaughtUp) this.missedPosition = target;
    return hasCaughtUp;
  }

  private waitFor(target: LogPosition, deadline: number): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (hasCaughtUp: boolean): void => {
        clearTimeout(timer);
        this.waits.delete(wait);
        resolve(hasCaughtUp);
      };
      const wait: Wait = { target, end };
      const timer = setTimeout(() => end(false), Math.max(0, deadline - performance.now()));
      this.waits.add(wait);
      if (this.timer) void this.look();
    });
  }

  private async look(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    try {
      // A primary that fails reports it itself: the replica stays as it is.
      const knownPosition = this.position ?? (await this.primary.read().catch(() => undefined));
      const position = await this.reader.read();
      if (knownPosition) this.use(position, knownPosition);
    } catch (error) {
      this.leaveOut((error as Error).message);
    }
    if (!this.isClosed)
      this.timer = setTimeout(() => void this.look(), this.waits.size > 0 ? waitInterval : lookInterval);
  }

  private use(position: LogPosition, { database }: LogPosition): void {
    if (position.database !== database) throw new Error('it is not a replica of the database at DATABASE_URL');
    if (!position.isReplica) throw new Error('it is not a replica any more');
    this.position = position;
    if (this.isReported) this.log.info(`The replica at ${this.name} is used again.`);
    this.isReported = false;
    for (const wait of [...this.waits]) if (hasReached(position, wait.target)) wait.end(true);
  }

  private leaveOut(reason: string): void {
    this.position = undefined;
    if (this.isClosed) return;
    if (!this.isReported) this.log.warn(`The replica at ${this.name} is left out: ${reason}`);
    this.isReported = true;
    for (const wait of [...this.waits]) wait.end(false);
    for (const fail of [...this.running]) fail(new NotCaughtUp(`The replica at ${this.name} was lost.`));
  }
}
