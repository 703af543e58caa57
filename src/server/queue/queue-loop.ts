import type PgBoss from 'pg-boss';
import type { Logger } from 'pino';

/** How long running work may take when the program stops, in milliseconds. */
const stopTimeout = 6_000;

/** A message: what to do is stored in rows of our own, which it names. */
export type QueueData = Readonly<Record<string, number | string>>;

/** Does what the messages of one name say. */
export interface QueueWorker {
  /** Messages that this server works on at once. */
  readonly atOnce: number;
  /** Does what a message names. An error that it throws is logged, and the message comes again. */
  run(data: QueueData, stopping: AbortSignal): Promise<void>;
  /** Seconds between two searches for work whose message is missing. */
  readonly searchEvery: number;
  /**
   * The messages of what has been due for so many seconds: those that were sent are lost with the queue, or with a server
   * that was killed. One too many does no harm.
   */
  findMissing(lateSeconds: number): Promise<readonly QueueData[]>;
}

/** The parts of the queue that a loop needs. */
interface LoopDependencies {
  readonly boss: PgBoss;
  readonly log: Logger;
  readonly pollSeconds: number;
  send(messages: readonly QueueData[]): Promise<void>;
}

/** Takes messages of one name and works on them. */
export class QueueLoop {
  private readonly running = new Set<Promise<void>>();
  private readonly stopping = new AbortController();
  private readonly timers: readonly NodeJS.Timeout[];
  private fetching: Promise<void> | undefined;
  private fetchAgain = false;
  private searching: Promise<void> | undefined;

  constructor(
    private readonly queue: LoopDependencies,
    readonly name: string,
    private readonly worker: QueueWorker,
  ) {
    const repeat = (seconds: number, call: () => void) => setInterval(call, seconds * 1_000).unref();
    this.timers = [
      repeat(queue.pollSeconds, () => this.wake()),
      repeat(worker.searchEvery, () => this.search(worker.searchEvery)),
    ];
    this.search(0);
    this.wake();
  }

  wake(): void {
    this.fetchAgain = true;
    if (this.fetching || this.stopping.signal.aborted) return;
    this.fetching = this.fetch()
      .catch((error: Error) => this.queue.log.warn(`The queue ${this.name} could not be read: ${error.message}`))
      .finally(() => {
        this.fetching = undefined;
      });
  }

  /** Takes no more messages, and waits for what is running, not forever. */
  async stop(): Promise<void> {
    this.stopping.abort();
    for (const timer of this.timers) clearInterval(timer);
    await this.searching;
    await this.fetching;
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise((resolve) => (timer = setTimeout(resolve, stopTimeout)));
    await Promise.race([Promise.all(this.running), patience]);
    clearTimeout(timer);
  }

  private search(lateSeconds: number): void {
    this.searching ??= this.worker
      .findMissing(lateSeconds)
      .then((messages) => this.queue.send(messages))
      .catch((error: Error) =>
        this.queue.log.warn(`Messages of the queue ${this.name} could not be checked: ${error.message}`),
      )
      .finally(() => {
        this.searching = undefined;
      });
  }

  private async fetch(): Promise<void> {
    const { atOnce } = this.worker;
    while (this.fetchAgain && !this.stopping.signal.aborted && this.running.size < atOnce) {
      this.fetchAgain = false;
      const messages = await this.queue.boss.fetch<QueueData>(this.name, { batchSize: atOnce - this.running.size });
      for (const message of messages) this.begin(message);
      if (messages.length > 0) this.fetchAgain = true;
    }
  }

  private begin(message: PgBoss.Job<QueueData>): void {
    const work = this.work(message).finally(() => {
      this.running.delete(work);
      this.wake();
    });
    this.running.add(work);
  }

  private async work({ id, data }: PgBoss.Job<QueueData>): Promise<void> {
    const { boss, log } = this.queue;
    try {
      await this.worker.run(data, this.stopping.signal);
      await boss.complete(this.name, id);
    } catch (error) {
      if (!this.stopping.signal.aborted)
        log.warn(`Work of the queue ${this.name} failed and is tried again: ${(error as Error).message}`);
      await boss.fail(this.name, id, { message: (error as Error).message }).catch(() => undefined);
    }
  }
}
