import type { FastifyRequest } from 'fastify';
import { isKnownZone, RequestContext } from '../../access/request-context';
import { BadRequest } from '../../errors/errors';
import type { Program } from '../../program';
import { authenticate } from './authenticate';

/**
 * The context of a request: its caller, and the time zone of `X-Timezone`. Throws Unauthenticated, and BadRequest for
 * an unknown zone.
 *
 * @example const { actor, registry } = await requestContextOf(program, request);
 */
export async function requestContextOf(program: Program, request: FastifyRequest): Promise<RequestContext> {
  const actor = await authenticate(program, request);
  if (request.current && (request.method === 'GET' || request.method === 'HEAD')) request.current.isReading = true;
  const zone = request.headers['x-timezone'];
  if (zone === undefined) return new RequestContext(program, actor);
  if (typeof zone !== 'string' || !isKnownZone(zone))
    throw new BadRequest('X-Timezone must be a time zone such as Europe/Berlin.');
  return new RequestContext(program, actor, zone);
}
