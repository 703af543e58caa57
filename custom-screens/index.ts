import type { CustomScreen } from '../src/app/admin/CustomScreen';

/** The screens that no definition can draw, each loaded when it is first opened. */
export const screens: readonly CustomScreen[] = [
  { path: '/test-case-history/:id', load: () => import('./test-case-history/TestCaseHistory') },
];
