import type { Actor } from '../../../engine/access/actor';
import { isGranted } from '../../../engine/access/decide';
import { described, type Schema } from '../../http/described';
import { data, id, listOf, object, orNull, text, whole } from '../../http/schemas';

const tag = 'Overview';
const number: Schema = { type: 'number' };
const chart = object({
  labels: listOf(text),
  series: listOf(object({ key: text, label: text, values: listOf(number) })),
});
const tiles = listOf(object({ key: text, label: text, count: whole }));
const lists = (module: string) => (actor: Actor) => isGranted(actor, module, 'list');
const filters = 'Accepts the filters of the list.';

/** How the calls of the overview screens describe themselves. */
export const calls = {
  dashboard: described({
    id: 'dashboard',
    tag,
    summary: 'Get the counts of the last seven days',
    answer: data(object({ projects: object({}), test_cases: object({}), tasks: object({}), workload: object({}) })),
  }),
  deadlines: described({
    id: 'dashboard-deadlines',
    tag,
    summary: 'List the deadlines of open tasks per day, from today on, or of one day',
    shownTo: lists('tasks'),
    query: { from: 'A day (YYYY-MM-DD).', to: 'A day.', date: 'The tasks of this day instead.' },
    answer: data(
      listOf({ anyOf: [object({ date: text, count: whole }), object({ id, name: text, status: orNull(text) })] }),
    ),
  }),
  timesheet: described({
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
    answer: data(
      object({
        month: text,
        label: text,
        total: number,
        days: listOf(object({ date: text, total: number })),
        logs: listOf(
          object({
            id,
            date: text,
            start: text,
            end: text,
            total_duration: text,
            comments: orNull(text),
            warning: orNull(text),
          }),
        ),
      }),
    ),
  }),
  taskAnalytics: described({
    id: 'task-analytics',
    tag,
    summary: `Get the figures of tasks. ${filters}`,
    shownTo: lists('tasks'),
    answer: data(
      object({
        tiles,
        charts: object({ late_tasks: chart, linked_test_cases: chart, hours_logged: chart, task_distribution: chart }),
      }),
    ),
  }),
  testCaseAnalytics: described({
    id: 'test-case-analytics',
    tag,
    summary: `Get the figures of test cases. ${filters}`,
    shownTo: lists('test-cases'),
    answer: data(object({ tiles, charts: object({ test_cases: chart, test_case_distribution: chart }) })),
  }),
};
