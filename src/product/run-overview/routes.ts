import type { FastifyInstance, FastifyRequest } from 'fastify';
import { requestContextOf } from '../../server/accounts/session/caller-context';
import type { Program } from '../../server/program';
import { typed } from '../../server/routing/define-call';
import { runOverviewCalls } from './calls';
import { loadMilestoneTrend, loadRunOverview } from './overview';
import { loadRunReport, loadSharedReport } from './report';

/** Where runs and milestones are: overviews, reports, trends. */
export function registerRunOverview(app: FastifyInstance, program: Program): void {
  const api = typed(app);
  const contextOf = (request: FastifyRequest) => requestContextOf(program, request);

  api.get('/test-runs/:id/overview', runOverviewCalls.overview, async (request) => ({
    data: (await loadRunOverview(await contextOf(request), request.params.id)) as never,
  }));
  api.get('/test-runs/:id/report', runOverviewCalls.report, async (request) => ({
    data: (await loadRunReport(await contextOf(request), request.params.id)) as never,
  }));
  api.post('/shared-run-report', runOverviewCalls.sharedReport, async (request) => ({
    data: (await loadSharedReport(program, request.body.link)) as never,
  }));
  api.get('/milestones/:id/trend', runOverviewCalls.trend, async (request) => ({
    data: (await loadMilestoneTrend(await contextOf(request), request.params.id)) as never,
  }));
}
