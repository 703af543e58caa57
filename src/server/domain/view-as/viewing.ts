import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { nobody, type Actor } from '../../../engine/access/actor';
import { BadRequest } from '../../errors/errors';
import type { Program } from '../../program';
import { recordSecurityEvent } from '../../security-log/security-log';
import { readAsked, viewAsHeader } from './header';
import { findViewed, type Viewed } from './viewed';

/** The maximum number of cached targets per viewer. */
const capacity = 100;

/**
 * By the viewer's actor, which is a new object after any change of access: the target is then loaded again, with the
 * current permissions of both.
 */
const known = new WeakMap<Actor, LRUCache<string, Promise<Viewed>>>();

/**
 * The user or role to view a request as, from its header; undefined without one. Throws BadRequest, NotFound and
 * Refused.
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
  if (!own) known.set(viewer, (own = new LRUCache({ max: capacity })));
  return own.get(header) ?? find(program, viewer, header, own);
}

function find(
  program: Program,
  viewer: Actor,
  header: string,
  own: LRUCache<string, Promise<Viewed>>,
): Promise<Viewed> {
  const asked = readAsked(header);
  const finding = findViewed(program, viewer, asked).then((viewed) => {
    program.log.info({ viewer: viewer.id, as: header.trim() }, 'A user started viewing as another');
    recordBegin(program, viewer, header.trim(), viewed);
    return viewed;
  });
  own.set(header, finding);
  finding.catch(() => own.delete(header));
  return finding;
}

/** Viewings that were recorded already: the cache above is dropped when access changes, but that is no new start. */
const begun = new WeakMap<Program['database'], LRUCache<string, true>>();
const longest = 12 * 60 * 60 * 1000;
const mostBegun = 10_000;

function recordBegin(program: Program, viewer: Actor, as: string, viewed: Viewed): void {
  const key = `${viewer.id} ${as}`;
  let known = begun.get(program.database);
  if (!known) begun.set(program.database, (known = new LRUCache({ max: mostBegun, ttl: longest })));
  if (known.has(key)) return;
  known.set(key, true);
  recordViewing(program, 'view_as_started', viewer, as, viewed);
}

/** Records that a user stopped viewing as another. */
export function recordEnd(program: Program, viewer: Actor, as: string, viewed: Viewed): void {
  begun.get(program.database)?.delete(`${viewer.id} ${as.trim()}`);
  recordViewing(program, 'view_as_stopped', viewer, as, viewed);
}

function recordViewing(
  program: Program,
  event: 'view_as_started' | 'view_as_stopped',
  viewer: Actor,
  as: string,
  { actor, name }: Viewed,
): void {
  const about = { resource: 'users', ...(actor.id !== nobody && { record_id: actor.id }), subject: name };
  const key = `${event} ${viewer.id} ${as}`;
  void recordSecurityEvent(program, {
    event,
    actor: { ...actor, viewer },
    site_id: actor.site_id ?? viewer.site_id,
    ...about,
    key,
  });
}
