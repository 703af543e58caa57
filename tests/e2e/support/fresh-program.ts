import { startProgram } from './program';
import { testOn } from './test';

/** For tests that change definitions or rely on unchanged data: each test file gets its own new program. */
export const test = testOn((programs, file) => programs.ofFile(file, startProgram));
