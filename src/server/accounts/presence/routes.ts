import { Type } from 'typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { requestContextOf } from '../session/caller-context';
import { closedObject, dataOf, defineCall, id, typedApi } from '../../routing/define-call';
import { streamName } from '../../routing/stream-name';
import type { Program } from '../../program';
import { enter, leave, listPresent } from './presence';

const tag = 'Screens';
const resource = Type.String({ maxLength: 100, description: 'The name of a resource.' });
const editing = Type.Boolean({
  description: 'You have changed something there that is not stored yet. Default: false.',
});

const calls = {
  list: defineCall({
    id: 'list-presence',
    scope: 'person',
    tag,
    summary: 'Who else is at records of a resource now, or at one of them, as far as you may list them',
    querystring: Type.Object({ resource, id: Type.Optional(id) }, closedObject),
    answer: dataOf(
      Type.Array(
        Type.Object({ record_id: id, user: Type.Object({ id, name: Type.String() }), editing: Type.Boolean() }),
      ),
    ),
  }),
  enter: defineCall({
    id: 'enter-presence',
    scope: 'person',
    tag,
    summary: 'Say that you are at a record now; repeat it every 25 seconds. It ends with the event stream',
    body: Type.Object({ stream: streamName, resource, id, editing: Type.Optional(editing) }, closedObject),
    answer: dataOf(Type.Boolean()),
  }),
  leave: defineCall({
    id: 'leave-presence',
    scope: 'person',
    tag,
    summary: 'Say that you are at no record any more',
    params: Type.Object({ stream: streamName }),
    answer: dataOf(Type.Boolean()),
  }),
};

/** Who is where: ephemeral, and gone with the event stream of the window. */
export function registerPresence(app: FastifyInstance, program: Program): void {
  const api = typedApi(app);
  const contextOf = (request: FastifyRequest) => requestContextOf(program, request);
  api.get('/presence', calls.list, async (request) => ({
    data: (await listPresent(await contextOf(request), request.query)) as never,
  }));
  api.put('/presence', calls.enter, async (request) => {
    const { stream: name, ...position } = request.body;
    await enter(await contextOf(request), name, position);
    return { data: true };
  });
  api.delete('/presence/:stream', calls.leave, async (request) => {
    const { actor } = await contextOf(request);
    await leave(program, actor, request.params.stream);
    return { data: true };
  });
}
