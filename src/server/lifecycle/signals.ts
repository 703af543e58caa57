/** Milliseconds within which two signals are one: a terminal and npm both pass on the same Ctrl+C. */
const same = 250;

/**
 * Calls once at the first SIGINT or SIGTERM, and ends the process with 0 when that is done. A second signal ends it at
 * once, with the code that shells give to that signal.
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
      } else if (performance.now() - first > same) process.exit(code);
    });
  }
}
