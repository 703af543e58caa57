import type { Client } from '../../support/program';

/** A record as a list answers it. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Row = Record<string, any>;

/** Every record that somebody may list, page by page; none where the list is refused. */
export async function everyRow(call: Client, resource: string, query = ''): Promise<Row[]> {
  const found: Row[] = [];
  for (;;) {
    const range = `range=[${found.length},${found.length + 199}]`;
    const { status, body, headers } = await call<Row[] | { data: Row[] }>('GET', `/${resource}?${range}${query}`);
    if (status === 403) return [];
    if (status !== 200) throw new Error(`${resource}: ${status} ${JSON.stringify(body)}`);
    const rows = Array.isArray(body) ? body : (Object.values(body)[0] as Row[]);
    found.push(...rows);
    const total = Number(String(headers['content-range']).split('/')[1]);
    if (found.length >= total || rows.length === 0) return found;
  }
}

/** The day (YYYY-MM-DD) of an instant by the clock of a zone. */
export function dayAt(zone: string, instant: string | number | Date): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(new Date(instant));
}

export function addDays(day: string, days: number): string {
  const date = new Date(`${day}T12:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

/** What the screens of one reader must show, worked out from lists alone, with the reader's own calendar. */
export function recounted(reader: { id: number; level: number; zone: string }, rows: Recorded) {
  const { id, level, zone } = reader;
  const today = dayAt(zone, Date.now());
  const isRecent = (instant: string) => dayAt(zone, instant) >= addDays(today, -6);
  const isOpen = ({ status_id }: Row) => status_id === 1 || status_id === 2;
  const count = (of: Row[], test: (row: Row) => boolean) => of.filter(test).length;
  const own = level > 1;
  const made = level > 2;
  const { projects, testCases, tasks } = rows;
  const isActive = (row: Row) => [1, 2].includes(row.project_status_id);
  const isSoon = (day: string | null) => day !== null && day >= today && day <= addDays(today, 7);
  const work = (of: Row[], done: number) => ({
    recently_updated: count(of, (row) => isRecent(row.updated_at)),
    ...(own && { assigned_to_me: count(of, (row) => row.assigned_to === id) }),
    ...(made && {
      recently_created: count(of, (row) => isRecent(row.created_at)),
      recently_completed: count(of, (row) => row.status_id === done && rows.finished(row, done, isRecent)),
    }),
  });
  return {
    projects: {
      active: count(projects, isActive),
      recently_updated: count(projects, (row) => isRecent(row.updated_at)),
      ...((level === 2 || level === 3) && {
        upcoming_deadlines: count(projects, (row) => isActive(row) && isSoon(row.end_date)),
      }),
      by_status: rows.states.map(([key, name]) => ({
        id: key,
        option_name: name,
        count: count(projects, (row) => row.project_status_id === key),
      })),
    },
    test_cases: {
      total: testCases.length,
      passed: count(testCases, (row) => row.result_id === 1),
      failed: count(testCases, (row) => row.result_id === 2),
      ...work(testCases, 5),
      by_priority: rows.priorities.map(([key, name]) => ({
        id: key,
        option_name: name,
        passed: count(testCases, (row) => row.priority_id === key && row.result_id === 1),
        failed: count(testCases, (row) => row.priority_id === key && row.result_id === 2),
      })),
    },
    tasks: {
      open: count(tasks, isOpen),
      completed: count(tasks, (row) => row.status_id === 3),
      upcoming_deadlines: count(tasks, (row) => isOpen(row) && row.end_date !== null && row.end_date >= today),
      ...work(tasks, 3),
      by_status: rows.states.map(([key, name]) => ({
        id: key,
        option_name: name,
        priorities: rows.priorities.map(([priority, title]) => ({
          id: priority,
          option_name: title,
          count: count(tasks, (row) => row.status_id === key && row.priority_id === priority),
        })),
      })),
    },
    workload: {
      open_tasks: count(tasks, isOpen),
      open_test_cases: count(testCases, (row) => row.status_id !== 5),
    },
  };
}

/** The tiles and charts of tasks, worked out anew. Hours are of the projects that have any, by name. */
export function recountedTasks(reader: { id: number; level: number; zone: string }, rows: Recorded) {
  const today = dayAt(reader.zone, Date.now());
  const { tasks, timeLogs } = rows;
  const isOpen = ({ status_id }: Row) => status_id === 1 || status_id === 2;
  const count = (test: (row: Row) => boolean) => tasks.filter(test).length;
  const isLate = (row: Row) => isOpen(row) && row.end_date !== null && row.end_date < today;
  const isSoon = (row: Row) => isOpen(row) && row.end_date >= today && row.end_date <= addDays(today, 7);
  const withLevel = (level: number) => count((row) => isOpen(row) && rows.levels.get(row.assigned_to) === level);
  const tasksById = new Map(tasks.map((task) => [task.id, task]));
  const hours = new Map<string, { logged: number; estimated: number }>();
  const of = (task: Row) => {
    const name = task.project.name as string;
    if (!hours.has(name)) hours.set(name, { logged: 0, estimated: 0 });
    return hours.get(name)!;
  };
  for (const task of tasks) of(task).estimated += Number(task.estimated_hours ?? 0);
  for (const log of timeLogs) {
    const task = tasksById.get(log.task_id);
    if (task) of(task).logged += minutesOf(log.total_duration);
  }
  return {
    tiles: {
      total: tasks.length,
      open: count(isOpen),
      completed: count((row) => row.status_id === 3),
      late: count(isLate),
      upcoming: count(isSoon),
      ...(reader.level <= 3
        ? { with_developers: withLevel(4), with_qa: withLevel(5), with_external_users: withLevel(6) }
        : { assigned_to_me: count((row) => row.assigned_to === reader.id) }),
    },
    late: rows.priorities.map(([id]) => count((row) => isLate(row) && row.priority_id === id)),
    linked: rows.states.map(([id]) => count((row) => row.status_id === id && row.testcases_count > 0)),
    byStatus: rows.states.map(([id]) => count((row) => row.status_id === id)),
    hours: Object.fromEntries(
      [...hours]
        .map(([name, one]) => [name, [round(one.logged / 60), round(one.estimated)]] as const)
        .filter(([, [logged, estimated]]) => logged! > 0 || estimated! > 0),
    ),
  };
}

/** `1.30` is an hour and a half. */
export function minutesOf(duration: string): number {
  const [hours, minutes] = duration.split('.');
  return Number(hours) * 60 + Number(minutes);
}

export function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** What lists answer, and what histories say. */
export interface Recorded {
  readonly projects: Row[];
  readonly testCases: Row[];
  readonly tasks: Row[];
  readonly timeLogs: Row[];
  /** Ids and names. */
  readonly states: readonly (readonly [number, string])[];
  readonly priorities: readonly (readonly [number, string])[];
  readonly testStates: readonly (readonly [number, string])[];
  /** The level of each user. */
  readonly levels: ReadonlyMap<number, number>;
  /** Whether a record was given a status at an instant that passes. */
  finished(row: Row, status: number, when: (instant: string) => boolean): boolean;
}
