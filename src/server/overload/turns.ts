/** Starts tasks, some of them in later turns of the event loop. */
export interface TaskStarter {
  /** Starts a task now, or in its order in one of the next turns. */
  start(task: () => void): void;
  /** The number of tasks that have not started yet. */
  readonly waiting: number;
}

/**
 * Creates a starter that starts a limited number of tasks in each turn of the event loop, so that turns stay short:
 * between two turns connections are accepted, and health checks answered.
 *
 * @example const starter = createTaskStarter(4);
 */
export function createTaskStarter(perTurn: number): TaskStarter {
  const queue: (() => void)[] = [];
  let left = perTurn;
  let isScheduled = false;

  function run(task: () => void): void {
    left--;
    schedule();
    task();
  }

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      left = perTurn;
      for (let task = queue.shift(); task; task = left > 0 ? queue.shift() : undefined) run(task);
    });
  }

  return {
    start(task) {
      if (left > 0 && queue.length === 0) run(task);
      else queue.push(task);
    },
    get waiting() {
      return queue.length;
    },
  };
}
