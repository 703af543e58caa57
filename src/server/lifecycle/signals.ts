/** Two signals within so many milliseconds count as one: a terminal and npm both pass on the same Ctrl+C. */
const duplicateSignalWindow = 250;

/**
 * Calls `stop` once at the first SIGINT or SIGTERM and exits with 0 when it is done. A second signal exits at once,
 * with the code that shells use for that signal.
 */
export function onSignal(stop: () => Promise<void>): void {
  let first: number | undefined;
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    process.on(signal, () => {
      if (first === undefined) {
        first = performance.now();
        void stop().finally(() => process.exit(0));
      } else if (performance.now() - first > duplicateSignalWindow) process.exit(code);
    });
  }
}
