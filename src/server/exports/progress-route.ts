import { Type } from 'typebox';
import type { FastifyInstance } from 'fastify';
import { realUser } from '../../engine/access/actor';
import { NotFound } from '../errors/errors';
import { dataOf, defineCall, typedApi } from '../routing/define-call';
import { requestContextOf } from '../accounts/session/caller-context';
import type { Program } from '../program';
import { progressKey, runningExports } from './progress';

const progressCall = defineCall({
  id: 'export-progress',
  scope: ['*.list'],
  tag: 'Screens',
  params: Type.Object({ name: Type.String() }),
  summary: 'The progress of your export with this name',
  answer: dataOf(Type.Object({ written: Type.Integer(), total: Type.Integer() })),
});

/** `GET export-progress/{name}`: the progress of your own export with this name; 404 once it has ended. */
export function registerExportProgress(api: FastifyInstance, program: Program): void {
  typedApi(api).get('/export-progress/:name', progressCall, async (request) => {
    const { actor } = await requestContextOf(program, request);
    const progress = runningExports(program).get(progressKey(realUser(actor).id, request.params.name));
    if (!progress) throw new NotFound();
    return { data: progress };
  });
}
