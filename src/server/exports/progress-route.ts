import type { FastifyInstance } from 'fastify';
import { NotFound } from '../http/errors';
import { contextOf } from '../http/resource-routes';
import type { Program } from '../program';
import { progressKey, progressOf } from './progress';

/** `GET export-progress/{name}`: how far one's own download of that name is; 404 once it is over. */
export function registerExportProgress(api: FastifyInstance, program: Program): void {
  api.get<{ Params: { name: string } }>('/export-progress/:name', async (request) => {
    const { actor } = await contextOf(program, request);
    const progress = progressOf(program).get(progressKey(actor.id, request.params.name));
    if (!progress) throw new NotFound();
    return { data: progress };
  });
}
