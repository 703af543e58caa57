import type { FastifyInstance, FastifyRequest } from 'fastify';
import { requestContextOf } from '../../server/accounts/session/caller-context';
import type { Program } from '../../server/program';
import { typedApi } from '../../server/routing/define-call';
import { writeOnce } from '../write-once';
import { runOverviewCalls } from './calls';
import { compareRuns } from './compare';
import { loadMilestoneTrend, loadRunOverview } from './overview';
import { loadRunReport, loadSharedReport, loadSharedState } from './report';
import { removeStamp, stampRun } from './sign-off';

/** Where runs and milestones are: overviews, reports, trends. */
export function registerRunOverview(app: FastifyInstance, program: Program): void {
  const api = typedApi(app);
  const write = writeOnce(program);
  const contextOf = (request: FastifyRequest) => requestContextOf(program, request);

  api.get('/test-runs/:id/overview', runOverviewCalls.overview, async (request) => ({
    data: (await loadRunOverview(await contextOf(request), request.params.id)) as never,
  }));
  api.get('/test-runs/:id/compare/:other', runOverviewCalls.compare, async (request) => ({
    data: (await compareRuns(
      await contextOf(request),
      request.params.id,
      request.params.other,
      request.query.base,
    )) as never,
  }));
  api.get('/test-runs/:id/report', runOverviewCalls.report, async (request) => ({
    data: (await loadRunReport(await contextOf(request), request.params.id)) as never,
  }));
  api.post('/shared-run-report', runOverviewCalls.sharedReport, async (request) => ({
    data: (await loadSharedReport(program, request.body.link)) as never,
  }));
  api.post('/shared-run-state', runOverviewCalls.sharedState, async (request) => ({
    data: await loadSharedState(program, request.body.link),
  }));
  api.post('/test-runs/:id/stamp', runOverviewCalls.stamp, (request, reply) =>
    write(request, reply, (context) => stampRun(context, request.params.id, request.body.comment?.trim() || null)),
  );
  api.delete('/test-runs/:id/stamp', runOverviewCalls.removeStamp, (request, reply) =>
    write(request, reply, (context) => removeStamp(context, request.params.id)),
  );
  api.get('/milestones/:id/trend', runOverviewCalls.trend, async (request) => ({
    data: (await loadMilestoneTrend(await contextOf(request), request.params.id)) as never,
  }));
}
