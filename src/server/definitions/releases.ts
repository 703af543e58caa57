import { createHash, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Queries, Transaction } from '../database/database';
import { migrations } from '../database/migrations';
import type { SchemaRole } from '../sync/schema-role';
import { buildOf } from './build';
import type { ShippedTexts } from './upgrades';
import { oneRow } from '../database/one-row';

/** The present version of the tables, as one server sees it. */
export interface Standing {
  /** The number of this server's own version, in the order in which versions were first started. */
  readonly release: number;
  readonly role: SchemaRole;
  /** The tables wait for this version: it is newer, or no newer one is about any more. */
  readonly mayTakeOver: boolean;
  /** This server has just become the one that owns the tables. */
  readonly isTakeover: boolean;
  /** Name → a hash of the definition that the version ships which owns the tables. */
  readonly shipped: Readonly<Record<string, string>>;
}

/** Versions of the program on one database, and the servers that run them. */
export interface Releases {
  /** Registers what this server ships now, and takes over the tables unless a newer version is about. */
  register(trx: Transaction, shipped: ShippedTexts): Promise<Standing>;
  /** The standing of a registered server; with `claim` it takes over the tables once no newer version is about. */
  find(queries: Queries, release: number, options: { claim: boolean }): Promise<Standing>;
  /** Tells the other servers that this one is still there. */
  beat(queries: Queries, release: number): Promise<void>;
}

/** A server that was not seen for so many minutes is gone: until then it may be starting again. */
const absence = 10;
/** Minutes without a beat after which nobody else could beat either, and for which a server then waits for the others. */
const outage = 3;

/**
 * Opens the versions of a database. `isExclusive`: no other server can be on it, so that a start never waits for one to
 * be gone.
 */
export function openReleases({ isExclusive }: { readonly isExclusive: boolean }): Releases {
  const id = randomUUID();

  async function stand(
    queries: Queries,
    release: number,
    { claim, isNew }: { readonly claim: boolean; readonly isNew: boolean },
  ): Promise<Standing> {
    const {
      owner,
      shipped: shippedHashes,
      isSteady,
      isLong,
      hasNewer,
      hasOthers,
    } = oneRow(
      await sql<StandingRow>`
      select owner.number as owner, owner.shipped, coalesce(own.since, now()) < now() - ${minutes(outage)} as "isSteady",
        coalesce(own.since, now()) < now() - ${minutes(absence)} as "isLong",
        exists (select from assay.servers s where s.id <> ${id} and s.release > ${release}
          and s.seen_at > now() - ${minutes(absence)}) as "hasNewer",
        exists (select from assay.servers s where s.id <> ${id} and s.release <> ${release}
          and s.seen_at > now() - ${minutes(absence)}) as "hasOthers"
      from (select number, shipped from assay.releases order by owned_at desc limit 1) owner
      left join assay.servers own on own.id = ${id}`.execute(queries),
    );
    const isAbandoned = isExclusive || (!hasNewer && (isNew || isSteady));
    const mayTakeOver = release > owner || (release < owner && isAbandoned);
    const isTakeover = claim && mayTakeOver;
    if (isTakeover)
      await sql`update assay.releases set owned_at = clock_timestamp() where number = ${release}`.execute(queries);
    const isOlder = release < owner && !isTakeover;
    const isAlone = isExclusive || (!hasOthers && isLong);
    const role = isOlder ? 'older' : isAlone ? 'only' : 'newest';
    return { release, role, mayTakeOver, isTakeover, shipped: shippedHashes };
  }

  return {
    async register(trx, shippedTexts) {
      const row = oneRow(
        await sql<{ number: number }>`
        insert into assay.releases (fingerprint, shipped)
        values (${fingerprintOf(shippedTexts)}, ${JSON.stringify(hashesOf(shippedTexts))}::jsonb)
        on conflict (fingerprint) do update set fingerprint = excluded.fingerprint returning number`.execute(trx),
      );
      const release = row.number;
      await sql`insert into assay.servers (id, release) values (${id}, ${release})
        on conflict (id) do update set release = excluded.release, seen_at = now()`.execute(trx);
      await sql`delete from assay.servers where seen_at < now() - interval '1 day'`.execute(trx);
      return stand(trx, release, { claim: true, isNew: true });
    },
    find: (queries, release, { claim }) => stand(queries, release, { claim, isNew: false }),
    async beat(queries, release) {
      await sql`insert into assay.servers as s (id, release) values (${id}, ${release})
        on conflict (id) do update set seen_at = now(),
          since = case when s.seen_at < now() - ${minutes(outage)} then now() else s.since end`.execute(queries);
    },
  };
}

interface StandingRow {
  readonly owner: number;
  readonly shipped: Readonly<Record<string, string>>;
  readonly isSteady: boolean;
  readonly isLong: boolean;
  readonly hasNewer: boolean;
  readonly hasOthers: boolean;
}

const minutes = (count: number) => sql`make_interval(mins => ${sql.lit(count)})`;

/** Whether a version ships another definition under a name than the one that owns the tables. */
export function shipsAnother({ shipped: shippedHashes }: Standing, name: string, ownTexts: ShippedTexts): boolean {
  const text = ownTexts.get(name);
  return shippedHashes[name] !== (text === undefined ? undefined : hash(text));
}

/** Tells versions apart: by the program, its migrations and its definitions. */
function fingerprintOf(shippedTexts: ShippedTexts): string {
  return hash(
    JSON.stringify([
      buildOf() ?? '',
      migrations.map(({ name }) => name),
      Object.entries(hashesOf(shippedTexts)).sort(),
    ]),
  );
}

function hashesOf(shippedTexts: ShippedTexts): Record<string, string> {
  return Object.fromEntries([...shippedTexts].map(([name, text]) => [name, hash(text)]));
}

function hash(text: string): string {
  return createHash('sha1').update(text).digest('base64url');
}
