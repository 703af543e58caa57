import type { ChildProcess } from 'node:child_process';

/** Settles when a process has ended. */
export function waitForExit(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => child.once('exit', () => resolve()));
}

/** Stops a process, and resolves when it has ended. */
export async function stopProcess(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM');
  await waitForExit(child);
}
