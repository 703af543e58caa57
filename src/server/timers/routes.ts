import { Type } from 'typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { requestContextOf } from '../accounts/session/caller-context';
import type { Program } from '../program';
import { closedObject, dataOf, dateTime, defineCall, id, nullable, typedApi } from '../routing/define-call';
import { continueTimer, endTimer, readTimer, startTimer } from './timers';

const tag = 'Timer';
const timer = Type.Object({
  resource: Type.String({ description: 'The module of the records that it becomes.' }),
  record: nullable(Type.Object({ id, title: Type.String() }), {
    description: 'What the time is spent on; null if you can no longer see it.',
  }),
  started_at: dateTime,
});
const instant = (description: string) => Type.String({ format: 'date-time', maxLength: 40, description });
const startedAt = instant('When the timer began, as the answer says: another one is left alone.');

const calls = {
  read: defineCall({
    id: 'read-timer',
    scope: 'person',
    tag,
    summary: 'Your timer; null if none runs',
    answer: dataOf(nullable(timer)),
  }),
  start: defineCall({
    id: 'start-timer',
    scope: 'person',
    tag,
    summary: 'Start your timer on a record; 409 if it runs already',
    body: Type.Object(
      { resource: Type.String({ maxLength: 63, description: 'A module with a timer.' }), record: id },
      closedObject,
    ),
    answer: Type.Object({ status: Type.Boolean(), message: Type.String(), data: timer }),
  }),
  continue: defineCall({
    id: 'continue-timer',
    scope: 'person',
    tag,
    summary: 'Let your timer go on from a later time, after what came before was recorded',
    body: Type.Object({ started_at: startedAt, from: instant('From when on it runs.') }, closedObject),
    answer: dataOf(timer),
  }),
  end: defineCall({
    id: 'end-timer',
    scope: 'person',
    tag,
    summary: 'End your timer, whether its time was recorded or not',
    querystring: Type.Object({ started_at: startedAt }, closedObject),
    answer: dataOf(Type.Boolean()),
  }),
};

/** The timer that everybody has for modules with `timer`. */
export function registerTimer(app: FastifyInstance, program: Program): void {
  const api = typedApi(app);
  const contextOf = (request: FastifyRequest) => requestContextOf(program, request);
  api.get('/timer', calls.read, async (request) => ({ data: await readTimer(await contextOf(request)) }));
  api.post('/timer', calls.start, async (request) => {
    const { resource, record } = request.body;
    const data = await startTimer(await contextOf(request), resource, record);
    return { status: true, message: 'Timer started', data };
  });
  api.patch('/timer', calls.continue, async (request) => {
    const { started_at, from: startedFrom } = request.body;
    return { data: await continueTimer(await contextOf(request), started_at, startedFrom) };
  });
  api.delete('/timer', calls.end, async (request) => {
    await endTimer(await contextOf(request), request.query.started_at);
    return { data: true };
  });
}
