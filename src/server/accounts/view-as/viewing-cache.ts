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
  let viewedByHeader = viewedByViewer.get(viewer);
  if (!viewedByHeader) viewedByViewer.set(viewer, (viewedByHeader = new LRUCache({ max: maxCachedTargets })));
  return viewedByHeader.get(header) ?? find(program, viewer, header, viewedByHeader);
}

function find(
  program: Program,
  viewer: Actor,
  header: string,
  viewedByHeader: LRUCache<string, Promise<ViewedActor>>,
): Promise<ViewedActor> {
  const viewTarget = parseViewAsHeader(header);
  const finding = resolveViewed(program, viewer, viewTarget).then((viewedActor) => {
    program.log.info({ viewer: viewer.id, as: header.trim() }, 'A user started viewing as another');
    recordViewingStart(program, viewer, header.trim(), viewedActor);
    return viewedActor;
  });
  viewedByHeader.set(header, finding);
  finding.catch(() => viewedByHeader.delete(header));
  return finding;
}

/** Viewings that were recorded already: the cache above is dropped when access changes, but that is no new start. */
const viewingStarts = new WeakMap<Program['database'], LRUCache<string, true>>();
const maxViewingMs = 12 * 60 * 60 * 1000;
const maxViewingStarts = 10_000;

function recordViewingStart(program: Program, viewer: Actor, viewedName: string, viewedActor: ViewedActor): void {
  const key = `${viewer.id} ${viewedName}`;
  let recentStarts = viewingStarts.get(program.database);
  if (!recentStarts)
    viewingStarts.set(program.database, (recentStarts = new LRUCache({ max: maxViewingStarts, ttl: maxViewingMs })));
  if (recentStarts.has(key)) return;
  recentStarts.set(key, true);
  recordViewing(program, 'view_as_started', viewer, viewedName, viewedActor);
}

/** Records that a user stopped viewing as another. */
export function recordViewingEnd(program: Program, viewer: Actor, viewedName: string, viewedActor: ViewedActor): void {
  viewingStarts.get(program.database)?.delete(`${viewer.id} ${viewedName.trim()}`);
  recordViewing(program, 'view_as_stopped', viewer, viewedName, viewedActor);
}

function recordViewing(
  program: Program,
  event: 'view_as_started' | 'view_as_stopped',
  viewer: Actor,
  viewedName: string,
  { actor, name }: ViewedActor,
): void {
  const subjectFields = {
    resource: 'users',
    ...(actor.id !== placeholderUserId && { record_id: actor.id }),
    subject: name,
  };
  const key = `${event} ${viewer.id} ${viewedName}`;
  void recordSecurityEvent(program, {
    event,
    actor: { ...actor, viewer },
    site_id: actor.site_id ?? viewer.site_id,
    ...subjectFields,
    key,
  });
}
