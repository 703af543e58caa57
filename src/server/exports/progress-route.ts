import type { FastifyInstance } from 'fastify';
import { personOf } from '../../engine/access/actor';
import { NotFound } from '../errors/errors';
import { described } from '../http/described';
import { data, object, whole } from '../http/schemas';
import { contextOf } from '../http/resource-routes';
import type { Program } from '../program';
import { progressKey, progressOf } from './progress';

const progressCall = described({
  id: 'export-progress',
  tag: 'Screens',
  summary: 'The progress of your export with this name',
  answer: data(object({ written: whole, total: whole })),
});

/** `GET export-progress/{name}`: the progress of your own export with this name; 404 once it has ended. */
export function registerExportProgress(api: FastifyInstance, program: Program): void {
  api.get<{ Params: { name: string } }>('/export-progress/:name', progressCall, async (request) => {
    const { actor } = await contextOf(program, request);
    const progress = progressOf(program).get(progressKey(personOf(actor).id, request.params.name));
    if (!progress) throw new NotFound();
    return { data: progress };
  });
}
