/** An automated test of the demo data, and how it behaves in the builds. */
export interface DemoAutomatedTest {
  readonly file: string;
  readonly suite: string;
  readonly name: string;
  /** Usual seconds. */
  readonly seconds: number;
  /** Of a hundred builds, in how many it passes only when it is repeated. */
  readonly flaky?: number;
  /** Fails with this message in the builds since so many days ago. */
  readonly broken?: { readonly since: number; readonly message: string };
  /** First and last day on which it was part of a build, in days before today. */
  readonly from?: number;
  readonly until?: number;
  /** Its name until `from`; the test of that name vanished then. `similarity`: of both names, in per cent. */
  readonly renamed?: { readonly name: string; readonly similarity: number };
  /** In quarantine for so many days from today. */
  readonly quarantined?: { readonly days: number; readonly reason: string };
}

/** The days on which tests were renamed, in days before today. */
const [renameStart, renamedLately] = [80, 6];

/** The automated tests of the web project that is built most often. */
export const automatedTests: readonly DemoAutomatedTest[] = [
  { file: 'sign-in.spec.ts', suite: 'Sign-in', name: 'a wrong password is refused', seconds: 1.2 },
  { file: 'sign-in.spec.ts', suite: 'Sign-in', name: 'a locked account says how to unlock it', seconds: 1.6 },
  { file: 'sign-in.spec.ts', suite: 'Sign-in', name: 'login with a code', seconds: 2.4, until: renameStart },
  {
    file: 'sign-in.spec.ts',
    suite: 'Sign-in',
    name: 'sign-in with a code',
    seconds: 2.4,
    from: renameStart,
    renamed: { name: 'login with a code', similarity: 74 },
  },
  { file: 'search.spec.ts', suite: 'Search', name: 'filters survive a reload', seconds: 3.1 },
  { file: 'search.spec.ts', suite: 'Search', name: 'a date range includes both days', seconds: 2.2 },
  {
    file: 'search.spec.ts',
    suite: 'Search',
    name: 'suggestions follow what is typed',
    seconds: 4.8,
    flaky: 26,
    quarantined: { days: 9, reason: 'The search service of the staging system is slow.' },
  },
  { file: 'shipment.spec.ts', suite: 'Shipments', name: 'a shipment is created with two parcels', seconds: 6.3 },
  {
    file: 'shipment.spec.ts',
    suite: 'Shipments',
    name: 'a parcel is added later',
    seconds: 4.1,
    until: renamedLately,
  },
  {
    file: 'shipment.spec.ts',
    suite: 'Shipments',
    name: 'a parcel can be added later',
    seconds: 4.1,
    from: renamedLately,
    renamed: { name: 'a parcel is added later', similarity: 83 },
  },
  {
    file: 'shipment.spec.ts',
    suite: 'Shipments',
    name: 'the label is printed in the size of the printer',
    seconds: 5.2,
    broken: { since: 9, message: 'expect(received).toBe(expected): expected "A6", received "A4"' },
  },
  { file: 'map.spec.ts', suite: 'Map', name: 'the position moves without a reload', seconds: 9.4, flaky: 12 },
  { file: 'map.spec.ts', suite: 'Map', name: 'a route is drawn from depot to door', seconds: 7.7 },
  { file: 'invoice.spec.ts', suite: 'Invoices', name: 'an invoice has the address of its client', seconds: 2.9 },
  { file: 'invoice.spec.ts', suite: 'Invoices', name: 'a corrected invoice refers to the first one', seconds: 3.3 },
];

/** The automated tests of the project that ended a month ago, so that the history of builds is half a year long. */
export const earlierAutomatedTests: readonly DemoAutomatedTest[] = [
  { file: 'ward_list_test.dart', suite: 'Ward list', name: 'shows the beds in their order', seconds: 2.1 },
  { file: 'ward_list_test.dart', suite: 'Ward list', name: 'follows a patient who moves', seconds: 3.4, flaky: 18 },
  {
    file: 'rounds_test.dart',
    suite: 'Rounds',
    name: 'a note that is written offline is sent later',
    seconds: 5.6,
    flaky: 9,
  },
  { file: 'rounds_test.dart', suite: 'Rounds', name: 'warns of two notes at once', seconds: 4.2 },
  { file: 'alarms_test.dart', suite: 'Alarms', name: 'an alarm is heard with the screen off', seconds: 7.8 },
];
