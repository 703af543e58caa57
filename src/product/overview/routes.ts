import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RequestContext } from '../../server/access/request-context';
import { requestContextOf } from '../../server/accounts/session/caller-context';
import type { Program } from '../../server/program';
import { overviewCalls } from './calls';
import { loadDashboard } from './dashboard';
import { deadlinesBetween, deadlinesOn } from './deadlines';
import { loadTaskAnalytics } from './task-analytics';
import { loadTestCaseAnalytics } from './test-case-analytics';
import { loadTimesheet } from './timesheet';

type Query = Readonly<Record<string, unknown>>;

/** The data of the overview screens: figures, counted in the database with the caller's access and time zone. */
export function registerOverview(app: FastifyInstance, program: Program): void {
  const answer =
    (of: (context: RequestContext, query: Query) => Promise<unknown>) => async (request: FastifyRequest) => {
      const context = await requestContextOf(program, request);
      return { data: await of(context, request.query as Query) };
    };
  app.get('/dashboard', overviewCalls.dashboard, answer(loadDashboard));
  app.get(
    '/dashboard/deadlines',
    overviewCalls.deadlines,
    answer((context, query) =>
      query.date === undefined ? deadlinesBetween(context, query) : deadlinesOn(context, query),
    ),
  );
  app.get('/timesheet', overviewCalls.timesheet, answer(loadTimesheet));
  app.get('/task-analytics', overviewCalls.taskAnalytics, answer(loadTaskAnalytics));
  app.get('/test-case-analytics', overviewCalls.testCaseAnalytics, answer(loadTestCaseAnalytics));
}
