import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RequestContext } from '../../access/request-context';
import { contextOf } from '../../http/resource-routes';
import type { Program } from '../../program';
import { calls } from './calls';
import { dashboardOf } from './dashboard';
import { deadlinesBetween, deadlinesOn } from './deadlines';
import { taskAnalytics } from './task-analytics';
import { testCaseAnalytics } from './test-case-analytics';
import { timesheetOf } from './timesheet';

type Query = Readonly<Record<string, unknown>>;

/** The data of the overview screens: figures, counted in the database with the caller's access and time zone. */
export function registerOverview(app: FastifyInstance, program: Program): void {
  const answer =
    (of: (context: RequestContext, query: Query) => Promise<unknown>) => async (request: FastifyRequest) => {
      const context = await contextOf(program, request);
      return { data: await of(context, request.query as Query) };
    };
  app.get('/dashboard', calls.dashboard, answer(dashboardOf));
  app.get(
    '/dashboard/deadlines',
    calls.deadlines,
    answer((context, query) =>
      query.date === undefined ? deadlinesBetween(context, query) : deadlinesOn(context, query),
    ),
  );
  app.get('/timesheet', calls.timesheet, answer(timesheetOf));
  app.get('/task-analytics', calls.taskAnalytics, answer(taskAnalytics));
  app.get('/test-case-analytics', calls.testCaseAnalytics, answer(testCaseAnalytics));
}
