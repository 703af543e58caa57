import type { FastifyInstance, FastifyRequest } from 'fastify';
import { requestContextOf } from '../../server/accounts/session/caller-context';
import type { Program } from '../../server/program';
import { typedApi } from '../../server/routing/define-call';
import { overviewCalls } from './calls';
import { loadDashboard } from './dashboard';
import { deadlinesBetween, deadlinesOn } from './deadlines';
import { loadNow } from './now';
import { loadTaskAnalytics } from './task-analytics';
import { loadTestCaseAnalytics } from './test-case-analytics';
import { loadTimesheet } from './timesheet';

/** The data of the overview screens: figures, counted in the database with the caller's access and time zone. */
export function registerOverview(app: FastifyInstance, program: Program): void {
  const overview = typedApi(app);
  const contextOf = (request: FastifyRequest) => requestContextOf(program, request);

  overview.get('/dashboard', overviewCalls.dashboard, async (request) => ({
    data: await loadDashboard(await contextOf(request)),
  }));

  overview.get('/dashboard/now', overviewCalls.now, async (request) => ({
    data: await loadNow(await contextOf(request), request.query.project_id),
  }));

  overview.get('/dashboard/deadlines', overviewCalls.deadlines, async (request) => {
    const { query } = request;
    const context = await contextOf(request);
    const { date } = query;
    return { data: await (date === undefined ? deadlinesBetween(context, query) : deadlinesOn(context, date)) };
  });

  overview.get('/timesheet', overviewCalls.timesheet, async (request) => ({
    data: await loadTimesheet(await contextOf(request), request.query),
  }));

  overview.get('/task-analytics', overviewCalls.taskAnalytics, async (request) => ({
    data: await loadTaskAnalytics(await contextOf(request), { ...request.query }),
  }));

  overview.get('/test-case-analytics', overviewCalls.testCaseAnalytics, async (request) => ({
    data: await loadTestCaseAnalytics(await contextOf(request), { ...request.query }),
  }));
}
