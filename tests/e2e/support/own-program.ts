import { testOn } from './test';

/** For tests that would disturb others or be disturbed: each worker gets its own program. */
export const test = testOn((programs) => programs.own());
