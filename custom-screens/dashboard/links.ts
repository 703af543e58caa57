import { daysLater } from '../../src/engine/formats/dates';

/** The user and the current day, which "mine", "recent" and "upcoming" depend on. */
export interface Reader {
  readonly id: number;
  /** The current day in the user's time zone, `YYYY-MM-DD`. */
  readonly today: string;
}

const daysBack = 6;
const daysAhead = 7;
// Ids of shipped rows that the figures refer to.
const openTask = '1,2';
const completedTask = 3;
const activeProject = '1,2';
const result = { passed: 1, failed: 2 } as const;

type Filters = Readonly<Record<string, string | number>>;

function listOf(list: string, filters: Filters): string {
  const query = new URLSearchParams(Object.entries(filters).map(([name, value]) => [name, String(value)]));
  return `/${list}?${query}`;
}

/** The address of a list's first page without filters; it overrides the remembered filters. */
export const wholeList = (list: string): string => listOf(list, { page: 1 });

/** The list's tabs show open or closed test cases; this tab, reached by links only, shows both. */
const all = { tab: 'all' } as const;

const since = ({ today }: Reader) => daysLater(today, -daysBack);
/** Links that tasks and test cases have in common. */
const work = (list: string, within: Filters = {}) => ({
  recently_updated: (reader: Reader) => listOf(list, { ...within, updated_at_from: since(reader) }),
  assigned_to_me: ({ id }: Reader) => listOf(list, { ...within, assigned_to: id }),
  recently_created: (reader: Reader) => listOf(list, { ...within, created_at_from: since(reader) }),
});

/** Addresses of the lists behind the counts, each filtered to exactly the counted records. */
export const lists = {
  projects: {
    active: () => listOf('projects', { project_status_id: activeProject }),
    recently_updated: (reader: Reader) => listOf('projects', { updated_at_from: since(reader) }),
    upcoming_deadlines: ({ today }: Reader) =>
      listOf('projects', {
        project_status_id: activeProject,
        end_date_from: today,
        end_date_to: daysLater(today, daysAhead),
      }),
  },
  'test-cases': {
    ...work('test-cases', all),
    total: () => listOf('test-cases', all),
    passed: () => listOf('test-cases', { ...all, result_id: result.passed }),
    failed: () => listOf('test-cases', { ...all, result_id: result.failed }),
    open: () => listOf('test-cases', { tab: 'open' }),
  },
  tasks: {
    ...work('tasks'),
    open: () => listOf('tasks', { status_id: openTask }),
    completed: () => listOf('tasks', { status_id: completedTask }),
    upcoming_deadlines: ({ today }: Reader) => listOf('tasks', { status_id: openTask, end_date_from: today }),
  },
} as const;

/** The list behind a bar. Undefined for records without a value: no filter selects them. */
export const bars = {
  projects: (status: number | null) =>
    status === null ? undefined : listOf('projects', { project_status_id: status }),
  testCases: (priority: number | null, outcome: keyof typeof result) =>
    priority === null ? undefined : listOf('test-cases', { ...all, priority_id: priority, result_id: result[outcome] }),
  tasks: (status: number | null, priority: number | null) =>
    status === null || priority === null ? undefined : listOf('tasks', { status_id: status, priority_id: priority }),
};
