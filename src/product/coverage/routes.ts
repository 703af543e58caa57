import type { FastifyInstance, FastifyRequest } from 'fastify';
import { requestContextOf } from '../../server/accounts/session/caller-context';
import type { Program } from '../../server/program';
import { typedApi } from '../../server/routing/define-call';
import { coverageCalls } from './calls';
import { loadCoverage, loadCoverageCell } from './coverage';

/** Which requirements are shown to be met, and which are not. */
export function registerCoverage(app: FastifyInstance, program: Program): void {
  const api = typedApi(app);
  const contextOf = (request: FastifyRequest) => requestContextOf(program, request);
  api.get('/requirement-coverage', coverageCalls.coverage, async (request) => ({
    data: (await loadCoverage(await contextOf(request), request.query)) as never,
  }));
  api.get('/requirement-coverage/:id', coverageCalls.cell, async (request) => ({
    data: (await loadCoverageCell(await contextOf(request), request.params.id, request.query)) as never,
  }));
}
