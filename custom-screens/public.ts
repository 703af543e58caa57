import type { PublicScreen } from '../src/app/product';

/** The screens that need no session, each loaded when it is first opened, without the rest of the application. */
export const publicScreens: readonly PublicScreen[] = [
  { start: '/testcase/', load: () => import('./shared-test-case/SharedTestCase') },
  { start: '/run-report/', load: () => import('./run-report/SharedReport') },
];
