// The production build of React, which tests run on, has no `act`: this is one. Imported before anything imports React,
// which takes the functions that it schedules with when it is read.

/** What React has scheduled. */
const callbacks = new Set<() => void>();

const scheduleWith =
  <Rest extends unknown[]>(schedule: (callback: () => void, ...rest: Rest) => unknown) =>
  (callback: () => void, ...rest: Rest) => {
    const once = () => void (callbacks.delete(once) && callback());
    callbacks.add(once);
    return schedule(once, ...rest);
  };

const { queueMicrotask, setImmediate } = globalThis;
Object.assign(globalThis, {
  queueMicrotask: scheduleWith(queueMicrotask.bind(globalThis)),
  setImmediate: scheduleWith(setImmediate),
});
const { default: React } = await import('react');
const { flushSync } = await import('react-dom');
await import('react-dom/client');
Object.assign(globalThis, { queueMicrotask, setImmediate });

/** Does what React has scheduled, and what that schedules in turn. */
function flush(): void {
  for (const callback of callbacks) callback();
}

/** Resolves when React has nothing more to do. */
export async function reactSettles(): Promise<void> {
  do {
    await new Promise((resolve) => setImmediate(resolve));
    flush();
  } while (callbacks.size > 0);
}

/** Does what a callback changes and what follows from that, before it returns; awaited, also what comes later. */
function act(callback: () => unknown): PromiseLike<unknown> {
  let result: unknown;
  flushSync(() => {
    result = callback();
  });
  flush();
  return {
    then: (resolve, reject) =>
      Promise.resolve(result)
        .then(async (value) => {
          await reactSettles();
          return value;
        })
        .then(resolve, reject),
  };
}

// Testing Library takes it when it is read.
if (!('act' in React)) Object.assign(React, { act });
