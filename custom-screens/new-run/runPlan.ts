/** A test case, as far as a run is planned by it. */
export interface PlannedCase {
  readonly id: number;
  /** The module whose tests go to the same person. */
  readonly module: string | null;
}

/** How the tests of a new run are shared out; `later`: nobody has them yet. */
export type Sharing = 'round_robin' | 'module' | 'later';

/** Seconds that a test of a test case takes. */
export type SecondsOf = (testCase: number) => number;

/** Where no time of a project is known: long enough to be no promise. */
const usualSeconds = 240;

/** A function for the seconds of a test: the mean of its earlier times, else that of the project. */
export function secondsBy(
  times: readonly { readonly id: number; readonly seconds: number | null }[],
  mean: number | null,
): SecondsOf {
  const byId = new Map(times.map(({ id, seconds }) => [id, seconds]));
  return (testCase) => byId.get(testCase) ?? mean ?? usualSeconds;
}

/** The tests of a person. */
export interface Share {
  readonly person: number;
  readonly tests: number;
  readonly seconds: number;
}

/** How the tests of the cases, once on each configuration, are shared out among people: as the server does it. */
export function shareOut(
  cases: readonly PlannedCase[],
  configurations: number,
  people: readonly number[],
  sharing: Sharing,
  secondsOf: SecondsOf,
): readonly Share[] {
  if (sharing === 'later' || people.length === 0) return [];
  const modules = new Map<string | null, number>();
  const shares = people.map((person) => ({ person, tests: 0, seconds: 0 }));
  let index = 0;
  for (const { id, module } of cases) {
    if (!modules.has(module)) modules.set(module, modules.size);
    for (let repetition = 0; repetition < Math.max(1, configurations); repetition++) {
      const turn = sharing === 'module' ? (modules.get(module) ?? 0) : index++;
      const share = shares[turn % shares.length];
      if (!share) continue;
      share.tests++;
      share.seconds += secondsOf(id);
    }
  }
  return shares;
}

/** The seconds of all tests of the cases, once on each configuration. */
export const totalSeconds = (cases: readonly PlannedCase[], configurations: number, secondsOf: SecondsOf): number =>
  cases.reduce((sum, { id }) => sum + secondsOf(id), 0) * Math.max(1, configurations);
