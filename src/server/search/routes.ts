import type { FastifyInstance } from 'fastify';
import { requestContextOf } from '../accounts/session/caller-context';
import type { Program } from '../program';
import { typedApi } from '../routing/define-call';
import { defaultFound, searchCalls } from './calls';
import { findRecords } from './find-records';

/** `GET search`: records of all modules. */
export function registerSearch(app: FastifyInstance, program: Program): void {
  typedApi(app).get('/search', searchCalls.search, async (request) => {
    const context = await requestContextOf(program, request);
    const { q, limit = defaultFound, resources, scope } = request.query;
    const [resource = '', id] = scope?.split(':') ?? [];
    const options = { resources: resources?.split(','), ...(id && { scope: { resource, id: Number(id) } }) };
    return { data: await findRecords(context, q, limit, options) };
  });
}
