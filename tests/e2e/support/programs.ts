import { startProgram, type Program } from './program';

interface Stoppable {
  stop(): Promise<void>;
}

/** The programs that a worker starts beside the one that all tests share. */
export interface Programs {
  /** The worker's own program with demo data, for all its files that would disturb others or be disturbed. */
  own(): Promise<Program>;
  /** What `start` starts for a test file; it is stopped when the next file asks for something of its own. */
  ofFile<T extends Stoppable>(file: string, start: () => Promise<T>): Promise<T>;
  /** Stops all of them. */
  stop(): Promise<void>;
}

/** Creates the programs of a worker, which start when a test needs them. */
export function createPrograms(): Programs {
  let own: Promise<Program> | undefined;
  let last: { file: string; running: Promise<Stoppable> } | undefined;
  const stopLast = async () => {
    const running = last?.running;
    last = undefined;
    await (await running)?.stop();
  };
  return {
    own: () => (own ??= startProgram()),
    async ofFile<T extends Stoppable>(file: string, start: () => Promise<T>) {
      if (last?.file !== file) {
        await stopLast();
        last = { file, running: start() };
      }
      return last.running as Promise<T>;
    },
    async stop() {
      await Promise.all([stopLast(), own?.then((program) => program.stop())]);
    },
  };
}
