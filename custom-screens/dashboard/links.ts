import { addDays } from '../../src/engine/formats/dates';

/** The user and the current day, which "mine", "recent" and "upcoming" depend on. */
export interface DashboardUser {
  readonly id: number;
  /** The current day in the user's time zone, `YYYY-MM-DD`. */
  readonly today: string;
}

const recentDays = 6;
const daysAhead = 7;
// Ids of shipped rows that the figures refer to.
const openTask = '1,2';
const completedTask = 3;
const activeProject = '1,2';
const result = { passed: 1, failed: 2 } as const;

type Filters = Readonly<Record<string, string | number>>;

function listUrl(list: string, filters: Filters): string {
  const query = new URLSearchParams(Object.entries(filters).map(([name, value]) => [name, String(value)]));
  return `/${list}?${query}`;
}

/** The address of a list's first page without filters; it overrides the remembered filters. */
export const unfilteredListUrl = (list: string): string => listUrl(list, { page: 1 });

/** The list's tabs show open or closed test cases; this tab, reached by links only, shows both. */
const allTab = { tab: 'all' } as const;

const recentSince = ({ today }: DashboardUser) => addDays(today, -recentDays);
/** Links that tasks and test cases have in common. */
const workLinks = (list: string, baseFilters: Filters = {}) => ({
  recently_updated: (reader: DashboardUser) => listUrl(list, { ...baseFilters, updated_at_from: recentSince(reader) }),
  assigned_to_me: ({ id }: DashboardUser) => listUrl(list, { ...baseFilters, assigned_to: id }),
  recently_created: (reader: DashboardUser) => listUrl(list, { ...baseFilters, created_at_from: recentSince(reader) }),
});

/** Addresses of the lists behind the counts, each filtered to exactly the counted records. */
export const listLinks = {
  projects: {
    active: () => listUrl('projects', { project_status_id: activeProject }),
    recently_updated: (reader: DashboardUser) => listUrl('projects', { updated_at_from: recentSince(reader) }),
    upcoming_deadlines: ({ today }: DashboardUser) =>
      listUrl('projects', {
        project_status_id: activeProject,
        end_date_from: today,
        end_date_to: addDays(today, daysAhead),
      }),
  },
  'test-cases': {
    ...workLinks('test-cases', allTab),
    total: () => listUrl('test-cases', allTab),
    passed: () => listUrl('test-cases', { ...allTab, result_id: result.passed }),
    failed: () => listUrl('test-cases', { ...allTab, result_id: result.failed }),
    open: () => listUrl('test-cases', { tab: 'open' }),
  },
  tasks: {
    ...workLinks('tasks'),
    open: () => listUrl('tasks', { status_id: openTask }),
    completed: () => listUrl('tasks', { status_id: completedTask }),
    upcoming_deadlines: ({ today }: DashboardUser) => listUrl('tasks', { status_id: openTask, end_date_from: today }),
  },
} as const;

/** The list behind a bar. Undefined for records without a value: no filter selects them. */
export const barLinks = {
  projects: (status: number | null) =>
    status === null ? undefined : listUrl('projects', { project_status_id: status }),
  testCases: (priority: number | null, outcome: keyof typeof result) =>
    priority === null
      ? undefined
      : listUrl('test-cases', { ...allTab, priority_id: priority, result_id: result[outcome] }),
  tasks: (status: number | null, priority: number | null) =>
    status === null || priority === null ? undefined : listUrl('tasks', { status_id: status, priority_id: priority }),
};
