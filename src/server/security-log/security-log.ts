import type { Logger } from 'pino';
import { personOf, type Actor } from '../../engine/access/actor';
import type { Database, Queries } from '../database/database';
import { currentPlace } from './call-place';
import type { SecurityEvent } from './events';
import { insertLines, type Line } from './lines';
import { waitingLinesOf } from './waiting-lines';

/** What happened, as whoever records it says. */
export interface SecurityEntry {
  readonly event: SecurityEvent;
  /** Who did it: whoever views as another is recorded themselves, with the other beside them. */
  readonly actor?: Actor;
  /** Who did it where there is no actor (yet); null or left out: nobody who is known. */
  readonly user_id?: number | null;
  /** The company that it concerns, and whose owner may read it; without one, that of the actor. */
  readonly site_id?: number | null;
  /** What it was done to: the resource (or another kind of thing), its id, and its title at that moment. */
  readonly resource?: string;
  readonly record_id?: number | string;
  readonly subject?: string | null;
  /** Whatever else explains it, small and without secrets. */
  readonly detail?: Readonly<Record<string, unknown>>;
  /** For what may be repeated by an attacker: entries with the same key are counted in one line a minute. */
  readonly key?: string;
}

/**
 * Records an event. Within a transaction it is stored with the change that it tells of, or not at all; on a connection of its own (`database.kysely`) at once. Without either it
 * waits for a batch, in which repetitions are counted, so that nobody overloads the database with refusals; then it
 * never throws and need not be awaited.
 */
export async function recordSecurityEvent(
  { database, log }: { readonly database: Database; readonly log?: Logger },
  entry: SecurityEntry,
  trx?: Queries,
): Promise<void> {
  const line = lineOf(entry);
  if (trx) await insertLines(database, [line], trx);
  else waitingLinesOf(database, log).add(line, entry.key);
}

function lineOf({ event, actor, user_id, site_id, resource, record_id, subject, detail }: SecurityEntry): Line {
  const person = actor && personOf(actor);
  const { address = null, agent = null, request_id = null } = currentPlace() ?? {};
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
