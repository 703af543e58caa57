import { smallOwner } from './fill';

/** The users of the operations, by their name in the table. */
export const benchUsers = {
  owner: 'owner@demo.test',
  developer: 'developer@demo.test',
  external: 'external@demo.test',
  administrator: 'admin@demo.test',
  'small company': smallOwner,
} as const;

export type BenchUser = keyof typeof benchUsers;

/** Ids and names that operations need. */
export interface OperationContext {
  /** Test cases that the owner lists. */
  readonly total: number;
  readonly project: number;
  /** A test case of the owner's company, in the middle of all. */
  readonly middle: number;
  /** Responses that stay the same if nothing is cached. */
  readonly turn: number;
}

/** One call, or several at once. `after` is sent before and not measured. */
export interface Operation {
  readonly title: string;
  readonly as: BenchUser;
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly paths: (at: OperationContext) => readonly string[];
  readonly body?: (at: OperationContext) => unknown;
  /** Writes a test case before each turn, so that counts are not cached. */
  readonly afterWrite?: true;
  /** Ends once the headers have come. */
  readonly headersOnly?: true;
}

const list = (query: Readonly<Record<string, unknown>> = {}, resource = 'test-cases') => {
  const texts = Object.entries({ range: [0, 14], ...query }).map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return `/${resource}?${new URLSearchParams(texts)}`;
};
const newTestCase = ({ project, turn }: OperationContext) => ({
  name: `Measured ${turn}`,
  project_id: project,
  status_id: 1,
});

/** Everything that is measured, in this order at each size. */
export const operations: readonly Operation[] = [
  ...(Object.keys(benchUsers) as BenchUser[]).map((user): Operation => ({
    title: `first page, ${user}`,
    as: user,
    paths: () => [list()],
  })),
  { title: 'first page after a write', as: 'owner', afterWrite: true, paths: () => [list()] },
  { title: 'first page after a write, small company', as: 'small company', afterWrite: true, paths: () => [list()] },
  {
    title: 'page in the middle',
    as: 'owner',
    paths: ({ total }) => [list({ range: [total >> 1, (total >> 1) + 14] })],
  },
  {
    title: 'filtered: open ones of a project',
    as: 'owner',
    paths: ({ project }) => [list({ filter: { status: 'open', project_id: project } })],
  },
  { title: 'sorted by title', as: 'owner', paths: () => [list({ sort: ['name', 'ASC'] })] },
  { title: 'sorted by a relation (assignee)', as: 'owner', paths: () => [list({ sort: ['assigned_to', 'ASC'] })] },
  {
    title: 'sorted by a relation, small company',
    as: 'small company',
    paths: () => [list({ sort: ['assigned_to', 'ASC'] })],
  },
  { title: 'search: one hit', as: 'owner', paths: ({ middle }) => [list({ q: `#${middle}` })] },
  { title: 'search: a frequent word', as: 'owner', paths: () => [list({ q: 'account' })] },
  { title: 'search: no hit', as: 'owner', paths: () => [list({ q: 'xylophone' })] },
  {
    title: 'search: two letters that are nowhere, after a write',
    as: 'owner',
    afterWrite: true,
    paths: () => [list({ q: 'qx' })],
  },
  {
    title: 'search: two letters that are everywhere, after a write',
    as: 'owner',
    afterWrite: true,
    paths: () => [list({ q: 'an' })],
  },
  { title: 'record', as: 'owner', paths: ({ middle }) => [`/test-cases/${middle}`] },
  { title: 'create', as: 'owner', method: 'POST', paths: () => ['/test-cases'], body: newTestCase },
  {
    title: 'change',
    as: 'owner',
    method: 'PUT',
    paths: ({ middle }) => [`/test-cases/${middle}`],
    body: ({ turn }) => ({ name: `Changed ${turn}` }),
  },
  {
    title: 'choices: test cases by a word',
    as: 'owner',
    paths: () => ['/test-cases/choices/copyOf?q=account&range=[0,24]'],
  },
  { title: 'dashboard', as: 'owner', paths: () => ['/dashboard'] },
  { title: 'dashboard after a write', as: 'owner', afterWrite: true, paths: () => ['/dashboard'] },
  {
    title: 'dashboard after a write, small company',
    as: 'small company',
    afterWrite: true,
    paths: () => ['/dashboard'],
  },
  {
    title: 'board: first window of four columns',
    as: 'owner',
    paths: () => [1, 2, 3, 4].map((status_id) => list({ range: [0, 29], filter: { status_id } }, 'tasks')),
  },
  { title: 'export: begins to answer', as: 'owner', headersOnly: true, paths: () => ['/test-cases-export?format=csv'] },
];
