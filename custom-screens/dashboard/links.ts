import { daysLater } from '../../src/engine/formats/dates';

/** Who reads, and on which day: what "mine", "recent" and "upcoming" mean. */
export interface Reader {
  readonly id: number;
  /** The reader's own, `YYYY-MM-DD`. */
  readonly today: string;
}

const daysBack = 6;
const daysAhead = 7;
// The shipped rows that figures are about, by their ids.
const openTask = '1,2';
const completedTask = 3;
const activeProject = '1,2';
const result = { passed: 1, failed: 2 } as const;

type Filters = Readonly<Record<string, string | number>>;

function listOf(list: string, filters: Filters): string {
  const query = new URLSearchParams(Object.entries(filters).map(([name, value]) => [name, String(value)]));
  return `/${list}?${query}`;
}

/** A list from its first page and without filters, whatever it was last left with. */
export const wholeList = (list: string): string => listOf(list, { page: 1 });

/** Tabs divide the list into open and closed test cases; this one, which links alone lead to, has both. */
const all = { tab: 'all' } as const;

const since = ({ today }: Reader) => daysLater(today, -daysBack);
/** What tasks and test cases are counted by alike. */
const work = (list: string, within: Filters = {}) => ({
  recently_updated: (reader: Reader) => listOf(list, { ...within, updated_at_from: since(reader) }),
  assigned_to_me: ({ id }: Reader) => listOf(list, { ...within, assigned_to: id }),
  recently_created: (reader: Reader) => listOf(list, { ...within, created_at_from: since(reader) }),
});

/** The lists behind the counts, each narrowed to exactly what its count says. */
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

/** The list behind a bar. Undefined for records without the option: no address says that. */
export const bars = {
  projects: (status: number | null) =>
    status === null ? undefined : listOf('projects', { project_status_id: status }),
  testCases: (priority: number | null, outcome: keyof typeof result) =>
    priority === null ? undefined : listOf('test-cases', { ...all, priority_id: priority, result_id: result[outcome] }),
  tasks: (status: number | null, priority: number | null) =>
    status === null || priority === null ? undefined : listOf('tasks', { status_id: status, priority_id: priority }),
};
