import type { FastifyRequest } from 'fastify';
import type { Actor } from '../../../engine/access/actor';
import { BadRequest } from '../../errors/errors';
import type { Program } from '../../program';
import { readAsked, viewAsHeader } from './header';
import { findViewed, type Viewed } from './viewed';

/** Whom one viewer may have looked through in a minute before the oldest is forgotten. */
const capacity = 100;

/**
 * By the viewer's actor, which is another object as soon as anybody's access changes: whom they view as is then found
 * anew, with the rights that both have by then.
 */
const known = new WeakMap<Actor, Map<string, Promise<Viewed>>>();

/**
 * Whom a request is to be seen as, by its header; undefined without one. Throws BadRequest, NotFound and Refused as
 * `findViewed` does.
 */
export function viewedBy(
  program: Program,
  request: Pick<FastifyRequest, 'headers'>,
  viewer: Actor,
): Promise<Viewed> | undefined {
  const header = request.headers[viewAsHeader];
  if (header === undefined) return undefined;
  if (typeof header !== 'string') throw new BadRequest('X-View-As must be sent once.');
  let own = known.get(viewer);
  if (!own) known.set(viewer, (own = new Map()));
  return own.get(header) ?? find(program, viewer, header, own);
}

function find(program: Program, viewer: Actor, header: string, own: Map<string, Promise<Viewed>>): Promise<Viewed> {
  const asked = readAsked(header);
  if (own.size >= capacity) own.delete(own.keys().next().value!);
  const finding = findViewed(program, viewer, asked).then((viewed) => {
    program.log.info({ viewer: viewer.id, as: header.trim() }, 'Somebody views the program as another');
    return viewed;
  });
  own.set(header, finding);
  finding.catch(() => own.delete(header));
  return finding;
}
