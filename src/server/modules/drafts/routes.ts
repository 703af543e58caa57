import type { FastifyInstance } from 'fastify';
import { requestContextOf } from '../../accounts/session/caller-context';
import type { Program } from '../../program';
import { typedApi } from '../../routing/define-call';
import { draftCalls } from './calls';
import {
  discardDraft,
  draftRecipients,
  findDraft,
  handDraftOver,
  listDrafts,
  saveDraft,
  takeDraftOver,
} from './drafts';

/** The routes of drafts of definitions, for those who may change definitions. */
export function registerDraftRoutes(api: FastifyInstance, program: Program): void {
  const drafts = typedApi(api);
  const { kysely } = program.database;

  drafts.get('/module-drafts', draftCalls.list, async () => {
    return { data: await listDrafts(kysely, program.definitions.registry()) };
  });

  drafts.get('/module-drafts/:name', draftCalls.view, async (request) => {
    const { actor, registry } = await requestContextOf(program, request);
    const { name } = request.params;
    return { data: (await findDraft(kysely, registry, { name, user: request.query.user_id ?? actor.id })) ?? null };
  });

  drafts.put('/module-drafts/:name', draftCalls.save, async (request) => {
    return { data: await saveDraft(await requestContextOf(program, request), request.params.name, request.body) };
  });

  drafts.delete('/module-drafts/:name', draftCalls.discard, async (request) => {
    await discardDraft(await requestContextOf(program, request), request.params.name, request.query);
    return { status: true };
  });

  drafts.get('/module-drafts/:name/recipients', draftCalls.recipients, async (request) => {
    return { data: await draftRecipients(await requestContextOf(program, request), request.params.name) };
  });

  drafts.post('/module-drafts/:name/hand-over', draftCalls.handOver, async (request) => {
    return { data: await handDraftOver(await requestContextOf(program, request), request.params.name, request.body) };
  });

  drafts.post('/module-drafts/:name/take-over', draftCalls.takeOver, async (request) => {
    return { data: await takeDraftOver(await requestContextOf(program, request), request.params.name, request.body) };
  });
}
