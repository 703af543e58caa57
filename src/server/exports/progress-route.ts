import type { FastifyInstance } from 'fastify';
import { realUser } from '../../engine/access/actor';
import { NotFound } from '../errors/errors';
import { describeCall } from '../routing/call-description';
import { dataSchema, objectSchema, integerSchema } from '../routing/schemas';
import { requestContextOf } from '../accounts/session/caller-context';
import type { Program } from '../program';
import { progressKey, runningExports } from './progress';

const progressCall = describeCall({
  id: 'export-progress',
  tag: 'Screens',
  summary: 'The progress of your export with this name',
  answer: dataSchema(objectSchema({ written: integerSchema, total: integerSchema })),
});

/** `GET export-progress/{name}`: the progress of your own export with this name; 404 once it has ended. */
export function registerExportProgress(api: FastifyInstance, program: Program): void {
  api.get<{ Params: { name: string } }>('/export-progress/:name', progressCall, async (request) => {
    const { actor } = await requestContextOf(program, request);
    const progress = runningExports(program).get(progressKey(realUser(actor).id, request.params.name));
    if (!progress) throw new NotFound();
    return { data: progress };
  });
}
