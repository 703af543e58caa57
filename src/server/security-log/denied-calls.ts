import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Registry } from '../../engine/registry/registry';
import { HttpError } from '../errors/errors';
import type { Database } from '../database/database';
import { callWords } from './call-words';
import type { SecurityEvent } from './events';
import { recordSecurityEvent, type SecurityEntry } from './security-log';

/** Sign-ins log rate limits themselves. */
const loggedElsewhere: ReadonlySet<string | undefined> = new Set(['/api/login']);

/**
 * Logs denied calls: by a rule or a missing permission; by a rate limit; and, for signed-in users, records that were
 * not found, which reveals attempts to find hidden records.
 */
export function logDeniedCall(
  program: {
    readonly database: Database;
    readonly log?: Logger;
    readonly definitions: { readonly registry: () => Registry };
  },
  request: FastifyRequest,
  error: unknown,
): void {
  if (!(error instanceof HttpError)) return;
  const { userId = null, siteId = null } = request.current ?? {};
  const route = request.routeOptions.url;
  const entry = {
    user_id: userId,
    site_id: siteId,
    ...recordInPath(request),
  };
  const call = `${request.method} ${route ?? ''}`;
  const record = ({ event, message, key }: { event: SecurityEvent; message?: string; key: string }) =>
    void recordSecurityEvent(program, {
      ...{ ...entry, event, key },
      subject: callWords(request, program.definitions.registry()),
      detail: { ...(message && { message }), call },
    });
  const caller = `${userId ?? ''} ${request.ip}`;
  if (error.status === 403 && error.code === 'FORBIDDEN')
    record({
      event: 'refused',
      message: error.message,
      key: `refused ${caller} ${call} ${entry.resource ?? ''}`,
    });
  else if (error.status === 404 && userId !== null && entry.record_id !== undefined)
    record({ event: 'refused', message: 'Not found.', key: `not found ${caller}` });
  else if (error.status === 429 && !loggedElsewhere.has(route))
    record({ event: 'limited', key: `limited ${caller} ${route}` });
}

/** The resource and record in a path. */
function recordInPath({ params }: FastifyRequest): Pick<SecurityEntry, 'resource' | 'record_id'> {
  const { resource, name, type, id } = (params ?? {}) as Readonly<Record<string, string | undefined>>;
  return { resource: resource ?? name ?? type, record_id: id };
}
