import { startProgram, type Program } from './program';
import { test as shared } from './test';

interface RunningProgram {
  file?: string;
  program?: Program;
}

/** For tests that change definitions or rely on unchanged data: each test file gets its own new program. */
export const test = shared.extend<{ program: Program }, { running: RunningProgram }>({
  running: [
    async ({}, use) => {
      const running: RunningProgram = {};
      await use(running);
      await running.program?.stop();
    },
    { scope: 'worker', timeout: 100_000 },
  ],
  program: [
    async ({ running }, use, { file }) => {
      if (running.file !== file) {
        await running.program?.stop();
        running.program = undefined;
        running.program = await startProgram();
        running.file = file;
      }
      await use(running.program!);
    },
    { timeout: 100_000 },
  ],
  baseURL: async ({ program }, use) => use(program.url),
});
