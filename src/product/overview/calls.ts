import { Type, type Static } from 'typebox';
import { closedObject, dataOf, defineCall, id, idParameter, nullable } from '../../server/routing/define-call';
import { dayMessage } from './days';

const tag = 'Overview';
const number = Type.Number();
const chart = Type.Object({
  labels: Type.Array(Type.String()),
  series: Type.Array(Type.Object({ key: Type.String(), label: Type.String(), values: Type.Array(number) })),
});
const tiles = Type.Array(Type.Object({ key: Type.String(), label: Type.String(), count: Type.Integer() }));
const day = (name: string, description: string) =>
  Type.Optional(Type.String({ format: 'date', description, errorMessage: dayMessage(name) }));
/** The message for a wrong month. */
export const wrongMonth = 'month must be a month such as 2026-11.';
const filters = 'Accepts the filters of the list.';

/** Validated like those of the list. */
const listFilters = Type.Object({}, { additionalProperties: true });

/** The calls of the overview screens. */
export const overviewCalls = {
  dashboard: defineCall({
    id: 'dashboard',
    scope: ['projects.list', 'test-cases.list', 'tasks.list', 'run-entries.list'],
    tag,
    summary: 'Get the counts of the last seven days',
    answer: dataOf(
      Type.Object({
        projects: Type.Object({}),
        test_cases: Type.Object({}),
        tasks: Type.Object({}),
        workload: Type.Object({}),
        tests: Type.Object({}),
      }),
    ),
  }),
  now: defineCall({
    id: 'dashboard-now',
    scope: ['tasks.list', 'run-entries.list'],
    tag,
    summary: 'Get active runs, failing tests, the latest build and what is due this week',
    querystring: Type.Object({ project_id: idParameter('project_id', 'Only those of this project.') }, closedObject),
    answer: dataOf(
      Type.Object({
        runs: Type.Optional(Type.Object({ count: Type.Integer() })),
        failing: Type.Optional(Type.Object({ count: Type.Integer(), new: Type.Integer() })),
        build: Type.Optional(Type.Object({ history: Type.Array(Type.Object({ id, key: Type.String() })) })),
        due: Type.Optional(Type.Object({ week: Type.Integer(), late: Type.Integer() })),
      }),
    ),
  }),
  deadlines: defineCall({
    id: 'dashboard-deadlines',
    tag,
    summary: 'List the deadlines of open tasks per day, from today on, or of one day',
    grant: { resource: 'tasks', action: 'list' },
    querystring: Type.Object({
      from: day('from', 'A day (YYYY-MM-DD).'),
      to: day('to', 'A day.'),
      date: day('date', 'The tasks of this day instead.'),
    }),
    answer: dataOf(
      Type.Array(
        Type.Union([
          Type.Object({ date: Type.String(), count: Type.Integer() }),
          Type.Object({ id, name: Type.String(), status: nullable(Type.String()) }),
        ]),
      ),
    ),
  }),
  timesheet: defineCall({
    id: 'timesheet',
    tag,
    summary: 'Get the time logs of a month',
    grant: { resource: 'time-logs', action: 'list' },
    querystring: Type.Object(
      {
        month: Type.String({ description: 'YYYY-MM.', errorMessage: wrongMonth }),
        client_id: idParameter('client_id', 'Only logs of this client.'),
        user_id: Type.Optional(
          Type.String({
            description: 'Only logs of this user; `all`: of every user whose logs you can list. Default: your own.',
            pattern: '^(all|\\d{1,16})$',
            errorMessage: 'user_id must be an id.',
          }),
        ),
        project_id: idParameter('project_id', 'Only logs of this project.'),
      },
      closedObject,
    ),
    answer: dataOf(
      Type.Object({
        month: Type.String(),
        label: Type.String(),
        total: number,
        days: Type.Array(Type.Object({ date: Type.String(), total: number })),
        targets: Type.Array(number, { description: 'The working hours of each day of the month.' }),
        logs: Type.Array(
          Type.Object({
            id,
            date: Type.String(),
            start: Type.String(),
            end: Type.String(),
            total_duration: Type.String(),
            comments: nullable(Type.String()),
            warning: nullable(Type.String()),
          }),
        ),
      }),
    ),
  }),
  taskAnalytics: defineCall({
    id: 'task-analytics',
    tag,
    summary: `Get the figures of tasks. ${filters}`,
    querystring: listFilters,
    grant: { resource: 'tasks', action: 'list' },
    answer: dataOf(
      Type.Object({
        tiles,
        charts: Type.Object({
          late_tasks: chart,
          linked_test_cases: chart,
          hours_logged: chart,
          task_distribution: chart,
        }),
      }),
    ),
  }),
  testCaseAnalytics: defineCall({
    id: 'test-case-analytics',
    tag,
    summary: `Get the figures of test cases. ${filters}`,
    querystring: listFilters,
    grant: { resource: 'test-cases', action: 'list' },
    answer: dataOf(Type.Object({ tiles, charts: Type.Object({ test_cases: chart, test_case_distribution: chart }) })),
  }),
};

export type DeadlinesQuery = Static<typeof overviewCalls.deadlines.schema.querystring>;
export type TimesheetQuery = Static<typeof overviewCalls.timesheet.schema.querystring>;
