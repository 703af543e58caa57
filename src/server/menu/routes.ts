import type { FastifyInstance } from 'fastify';
import { requestContextOf } from '../accounts/session/caller-context';
import type { Program } from '../program';
import { typedApi } from '../routing/define-call';
import { menuCalls } from './calls';
import { menuMarks } from './menu-marks';

/** `GET menu-marks`: the counts and warnings of the menu, all at once. */
export function registerMenuMarks(app: FastifyInstance, program: Program): void {
  typedApi(app).get('/menu-marks', menuCalls.read, async (request) => ({
    data: await menuMarks(await requestContextOf(program, request), request.query.scope),
  }));
}
