import type { Logger } from 'pino';
import { realUser, type Actor } from '../../engine/access/actor';
import type { Database, Queries } from '../database/database';
import { currentOrigin } from './call-origin';
import type { SecurityEvent } from './events';
import { insertLogEntries, type LogEntry } from './log-entries';
import { entryBufferOf } from './entry-buffer';

/** An event to be logged. */
export interface SecurityEntry {
  readonly event: SecurityEvent;
  /** Who did it; when viewing as another user, the real user is logged together with the other. */
  readonly actor?: Actor;
  /** Who did it if there is no actor (yet); null or undefined: unknown. */
  readonly user_id?: number | null;
  /** The company that it concerns, whose owner may read it; the actor's company by default. */
  readonly site_id?: number | null;
  /** The object of the event: its resource (or another kind of object), its id, and its title at that moment. */
  readonly resource?: string;
  readonly record_id?: number | string;
  readonly subject?: string | null;
  /** Further details, small and without secrets. */
  readonly detail?: Readonly<Record<string, unknown>>;
  /** For events that an attacker may repeat: entries with the same key are counted in one entry per minute. */
  readonly key?: string;
}

/**
 * Logs an event. With a transaction, it is stored together with the change, or not at all; with a connection
 * (`database.kysely`), at once. Without either it is stored in a batch, in which repetitions are counted, so that
 * errors cannot overload the database; then it never throws and need not be awaited.
 */
export async function recordSecurityEvent(
  { database, log }: { readonly database: Database; readonly log?: Logger },
  entry: SecurityEntry,
  trx?: Queries,
): Promise<void> {
  const line = toLogEntry(entry);
  if (trx) await insertLogEntries(database, [line], trx);
  else entryBufferOf(database, log).add(line, entry.key);
}

function toLogEntry({ event, actor, user_id, site_id, resource, record_id, subject, detail }: SecurityEntry): LogEntry {
  const person = actor && realUser(actor);
  const { address = null, agent = null, request_id = null } = currentOrigin() ?? {};
  return {
    at: new Date(),
    event,
    user_id: person?.id ?? user_id ?? null,
    viewed_id: actor?.viewer ? actor.id : null,
    site_id: site_id === undefined ? (person?.site_id ?? null) : site_id,
    resource: resource ?? null,
    record_id: record_id === undefined ? null : String(record_id),
    subject: subject ?? null,
    detail: detail ?? null,
    address,
    agent,
    request_id,
    times: 1,
  };
}
