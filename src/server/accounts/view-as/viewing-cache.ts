import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { placeholderUserId, type Actor } from '../../../engine/access/actor';
import { BadRequest } from '../../errors/errors';
import type { Program } from '../../program';
import { recordSecurityEvent } from '../../security-log/security-log';
import { parseViewAsHeader, viewAsHeader } from './view-as-header';
import { resolveViewed, type ViewedActor } from './viewed-actor';

/** The maximum number of cached targets per viewer. */
const maxCachedTargets = 100;

/**
 * By the viewer's actor, which is a new object after any change of access: the target is then loaded again, with the
 * current permissions of both.
 */
const viewedByViewer = new WeakMap<Actor, LRUCache<string, Promise<ViewedActor>>>();

/**
 * The user or role to view a request as, from its header; undefined without one. Throws BadRequest, NotFound and
 * Forbidden.
 */
export function viewedActorOf(
  program: Program,
  request: Pick<FastifyRequest, 'headers'>,
  viewer: Actor,
): Promise<ViewedActor> | undefined {
  const header = request.headers[viewAsHeader];
  if (header === undefined) return undefined;
  if (typeof header !== 'string') throw new BadRequest('X-View-As must be sent once.');
  let own = viewedByViewer.get(viewer);
  if (!own) viewedByViewer.set(viewer, (own = new LRUCache({ max: maxCachedTargets })));
  return own.get(header) ?? find(program, viewer, header, own);
}

function find(
  program: Program,
  viewer: Actor,
  header: string,
  own: LRUCache<string, Promise<ViewedActor>>,
): Promise<ViewedActor> {
  const asked = parseViewAsHeader(header);
  const finding = resolveViewed(program, viewer, asked).then((viewed) => {
    program.log.info({ viewer: viewer.id, as: header.trim() }, 'A user started viewing as another');
    recordViewingStart(program, viewer, header.trim(), viewed);
    return viewed;
  });
  own.set(header, finding);
  finding.catch(() => own.delete(header));
  return finding;
}

/** Viewings that were recorded already: the cache above is dropped when access changes, but that is no new start. */
const viewingStarts = new WeakMap<Program['database'], LRUCache<string, true>>();
const maxViewingMs = 12 * 60 * 60 * 1000;
const maxViewingStarts = 10_000;

function recordViewingStart(program: Program, viewer: Actor, as: string, viewed: ViewedActor): void {
  const key = `${viewer.id} ${as}`;
  let known = viewingStarts.get(program.database);
  if (!known) viewingStarts.set(program.database, (known = new LRUCache({ max: maxViewingStarts, ttl: maxViewingMs })));
  if (known.has(key)) return;
  known.set(key, true);
  recordViewing(program, 'view_as_started', viewer, as, viewed);
}

/** Records that a user stopped viewing as another. */
export function recordViewingEnd(program: Program, viewer: Actor, as: string, viewed: ViewedActor): void {
  viewingStarts.get(program.database)?.delete(`${viewer.id} ${as.trim()}`);
  recordViewing(program, 'view_as_stopped', viewer, as, viewed);
}

function recordViewing(
  program: Program,
  event: 'view_as_started' | 'view_as_stopped',
  viewer: Actor,
  as: string,
  { actor, name }: ViewedActor,
): void {
  const about = { resource: 'users', ...(actor.id !== placeholderUserId && { record_id: actor.id }), subject: name };
  const key = `${event} ${viewer.id} ${as}`;
  void recordSecurityEvent(program, {
    event,
    actor: { ...actor, viewer },
    site_id: actor.site_id ?? viewer.site_id,
    ...about,
    key,
  });
}
