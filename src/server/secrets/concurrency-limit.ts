/** Creates a function that runs at most `limit` tasks at a time; others wait in their order. */
export function createConcurrencyLimit(limit: number): <T>(task: () => Promise<T>) => Promise<T> {
  const waitingCalls: (() => void)[] = [];
  let runningCount = 0;
  return async (task) => {
    if (runningCount >= limit) await new Promise<void>((start) => waitingCalls.push(start));
    else runningCount++;
    try {
      return await task();
    } finally {
      const next = waitingCalls.shift();
      if (next) next();
      else runningCount--;
    }
  };
}
