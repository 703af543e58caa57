import { startProgram, type Program } from './program';
import { test as shared } from './test';

/** For tests that would disturb others or be disturbed: each worker gets its own program. */
export const test = shared.extend<object, { program: Program }>({
  program: [
    async ({}, use) => {
      const program = await startProgram();
      await use(program);
      await program.stop();
    },
    { scope: 'worker', timeout: 100_000 },
  ],
  baseURL: async ({ program }, use) => use(program.url),
});
