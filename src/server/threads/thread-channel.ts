import type { Worker } from 'node:worker_threads';

/** A thread that sends one response for each message. */
export interface ThreadChannel {
  /**
   * Sends a message, if there is one, and resolves with the thread's next message; one call at a time. Throws
   * ThreadEnded if the thread ends instead or does not respond in time; it is terminated then.
   */
  request<Answer>(message?: unknown): Promise<Answer>;
  close(): Promise<void>;
}

/** A thread ended without a response: it failed, ran out of memory, or took too long. */
export class ThreadEnded extends Error {}

/**
 * Wraps a thread; each of its responses may take at most `patience` milliseconds.
 *
 * @example const answer = await openThreadChannel(worker, 30_000).request<Answer>({ rows });
 */
export function openThreadChannel(worker: Worker, patience: number): ThreadChannel {
  let threadEnd: ThreadEnded | undefined;
  let onEnd: ((fault: ThreadEnded) => void) | undefined;
  const end = (reason: string, cause?: unknown): void => {
    threadEnd ??= new ThreadEnded(reason, { cause });
    void worker.terminate();
    onEnd?.(threadEnd);
  };
  worker.on('error', (error) => end(`The thread failed: ${error.message}`, error));
  worker.on('messageerror', (error) => end(`The thread's answer cannot be read: ${error.message}`, error));
  worker.on('exit', () => end('The thread has ended.'));

  return {
    request: <Answer>(message?: unknown) =>
      new Promise<Answer>((resolve, fail) => {
        if (threadEnd) return fail(threadEnd);
        const timer = setTimeout(() => end(`The thread did not answer within ${patience / 1000} s.`), patience);
        const finishAsk = (): void => {
          clearTimeout(timer);
          worker.off('message', handleAnswer);
          onEnd = undefined;
        };
        const handleAnswer = (answer: Answer): void => {
          finishAsk();
          resolve(answer);
        };
        onEnd = (fault) => {
          finishAsk();
          fail(fault);
        };
        worker.once('message', handleAnswer);
        if (message !== undefined) worker.postMessage(message);
      }),
    async close() {
      threadEnd ??= new ThreadEnded('The thread was closed.');
      onEnd?.(threadEnd);
      await worker.terminate();
    },
  };
}
