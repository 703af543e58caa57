import type { Actor } from '../../engine/access/actor';
import { isGranted } from '../../engine/access/access-decision';
import { describeCall, type JsonSchema } from '../../server/routing/call-description';
import {
  dataSchema,
  idSchema,
  arraySchema,
  objectSchema,
  nullableSchema,
  stringSchema,
  integerSchema,
} from '../../server/routing/schemas';

const tag = 'Overview';
const number: JsonSchema = { type: 'number' };
const chart = objectSchema({
  labels: arraySchema(stringSchema),
  series: arraySchema(objectSchema({ key: stringSchema, label: stringSchema, values: arraySchema(number) })),
});
const tiles = arraySchema(objectSchema({ key: stringSchema, label: stringSchema, count: integerSchema }));
const lists = (module: string) => (actor: Actor) => isGranted(actor, module, 'list');
const filters = 'Accepts the filters of the list.';

/** How the calls of the overview screens describe themselves. */
export const overviewCalls = {
  dashboard: describeCall({
    id: 'dashboard',
    tag,
    summary: 'Get the counts of the last seven days',
    answer: dataSchema(
      objectSchema({
        projects: objectSchema({}),
        test_cases: objectSchema({}),
        tasks: objectSchema({}),
        workload: objectSchema({}),
      }),
    ),
  }),
  deadlines: describeCall({
    id: 'dashboard-deadlines',
    tag,
    summary: 'List the deadlines of open tasks per day, from today on, or of one day',
    shownTo: lists('tasks'),
    query: { from: 'A day (YYYY-MM-DD).', to: 'A day.', date: 'The tasks of this day instead.' },
    answer: dataSchema(
      arraySchema({
        anyOf: [
          objectSchema({ date: stringSchema, count: integerSchema }),
          objectSchema({ id: idSchema, name: stringSchema, status: nullableSchema(stringSchema) }),
        ],
      }),
    ),
  }),
  timesheet: describeCall({
    id: 'timesheet',
    tag,
    summary: 'Get the time logs of a month',
    shownTo: lists('time-logs'),
    query: {
      month: 'YYYY-MM.',
      client_id: 'Only logs of this client.',
      user_id: 'Only logs of this user; `all`: of every user whose logs you can list. Default: your own.',
      project_id: 'Only logs of this project.',
    },
    answer: dataSchema(
      objectSchema({
        month: stringSchema,
        label: stringSchema,
        total: number,
        days: arraySchema(objectSchema({ date: stringSchema, total: number })),
        logs: arraySchema(
          objectSchema({
            id: idSchema,
            date: stringSchema,
            start: stringSchema,
            end: stringSchema,
            total_duration: stringSchema,
            comments: nullableSchema(stringSchema),
            warning: nullableSchema(stringSchema),
          }),
        ),
      }),
    ),
  }),
  taskAnalytics: describeCall({
    id: 'task-analytics',
    tag,
    summary: `Get the figures of tasks. ${filters}`,
    shownTo: lists('tasks'),
    answer: dataSchema(
      objectSchema({
        tiles,
        charts: objectSchema({
          late_tasks: chart,
          linked_test_cases: chart,
          hours_logged: chart,
          task_distribution: chart,
        }),
      }),
    ),
  }),
  testCaseAnalytics: describeCall({
    id: 'test-case-analytics',
    tag,
    summary: `Get the figures of test cases. ${filters}`,
    shownTo: lists('test-cases'),
    answer: dataSchema(
      objectSchema({ tiles, charts: objectSchema({ test_cases: chart, test_case_distribution: chart }) }),
    ),
  }),
};
