import type { ResourceRecord } from '../../engine/definitions/definition';
import { insertRows, nextIds } from '../../server/accounts/insert-rows';
import type { DemoLoader } from './loader';
import { stamps, type DemoCompany } from './people';
import { itemAt } from '../../engine/values/lookups';

interface Step {
  readonly action: string;
  readonly data?: string;
  readonly expected?: string;
}

const sharedStepFacts = {
  signIn: {
    name: 'Sign in to the staging system',
    steps: [
      { action: 'Open the address of the staging system', expected: 'The sign-in page asks for an email' },
      { action: 'Enter the account of the test and its password', data: '`tester1@staging.test`' },
      { action: 'Press **Sign in**', expected: 'The dashboard opens, with the name of the account at the top right' },
    ],
  },
  signOut: {
    name: 'Sign out and check that nothing is left',
    steps: [
      { action: 'Open the menu of the account and press **Sign out**', expected: 'The sign-in page opens' },
      { action: 'Press Back in the browser', expected: 'The sign-in page stays; nothing of the account is shown' },
    ],
  },
  slowNetwork: {
    name: 'Slow the network down',
    steps: [
      { action: 'Open the developer tools of the browser and choose a slow network', data: '`Slow 4G`' },
      { action: 'Reload the page', expected: 'The page shows that it is loading' },
    ],
  },
} as const satisfies Readonly<Record<string, { readonly name: string; readonly steps: readonly Step[] }>>;

/** The ids of a company's shared steps. */
export type SharedSteps = Readonly<Record<keyof typeof sharedStepFacts, number>>;

/** The projects whose test cases are written step by step. */
const structured: ReadonlySet<string> = new Set(['PAT', 'OAO', 'CSS']);

/** Stores the steps that test cases of a company have in common. */
export async function storeSharedSteps(
  { trx, registry, calendar }: DemoLoader,
  company: DemoCompany,
): Promise<SharedSteps> {
  const definition = registry.getOrThrow('shared-steps');
  const names = Object.keys(sharedStepFacts) as (keyof typeof sharedStepFacts)[];
  const ids = await nextIds(trx, definition, names.length);
  const maker = company.people.qa ?? company.owner;
  const rows = names.map((name, index): ResourceRecord => ({
    id: ids[index],
    ...sharedStepFacts[name],
    project_id: null,
    site_id: company.site,
    ...stamps(calendar.at(-90, 10, 5 + index), maker),
  }));
  await insertRows(trx, definition, rows);
  return Object.fromEntries(names.map((name, index) => [name, itemAt(ids, index)])) as SharedSteps;
}

/**
 * The steps of a test case: those of its story between shared ones. None in projects that write them as text; every
 * fifth has nothing in common with others.
 *
 * @param index Its place among the test cases of the company, from 0.
 * @param story Its own steps, separated by semicolons.
 */
export function structuredSteps(
  sharedSteps: SharedSteps,
  code: string,
  index: number,
  story: string,
  expectedResult: string,
): ResourceRecord[] {
  if (!structured.has(code)) return [];
  const actions = story.split(';').map((action) => action.trim());
  const steps = actions.map((action, position) => ({
    action,
    expected: position === actions.length - 1 ? expectedResult : null,
  }));
  if (index % 5 === 4) return steps;
  return [
    { shared_id: sharedSteps.signIn },
    ...(index % 7 === 3 ? [{ shared_id: sharedSteps.slowNetwork }] : []),
    ...steps,
    ...(index % 4 === 1 ? [{ shared_id: sharedSteps.signOut }] : []),
  ];
}
