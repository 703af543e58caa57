import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { Registry } from '../../engine/definitions/registry';
import type { Database } from '../database/database';
import { introspect } from './introspect';
import { quoted, tableId, type WantedPart } from './parts';
import { wantedSchema } from './wanted';

const KEY = 0x61_73_73_69;
/** Milliseconds between checks whether another server is building indexes. */
const AGAIN = 500;

/**
 * Builds the indexes that a sync deferred, while the tables stay in use: one server at a time, skipping or replacing
 * what another server or an earlier attempt has built. Returns a description of each.
 */
export async function buildLater(database: Database, registry: Registry): Promise<string[]> {
  if ((await missing(database, registry)).length === 0) return [];
  return database.alone(async (client) => {
    await client.query('set statement_timeout = 0; set lock_timeout = 0; set idle_session_timeout = 0');
    // Polls instead of waiting in PostgreSQL: an index being built waits for transactions that wait there.
    while (!(await first(client, `select pg_try_advisory_lock(${KEY}) as ok`)))
      await pause(AGAIN, undefined, { ref: false });
    const built: string[] = [];
    for (const part of await missing(database, registry)) {
      await client.query(`drop index concurrently if exists public.${quoted(part.name)}`);
      await client.query(part.sql.replace(/^create index/, 'create index concurrently'));
      // Without statistics of a new column, PostgreSQL expects every search to match many rows.
      await client.query(`analyze ${tableId(part.table)} (${part.columns.map(quoted).join(', ')})`);
      built.push(part.text);
    }
    return built;
  });
}

/** The optional indexes that are missing or incomplete, of tables that already have their columns. */
async function missing({ kysely }: Database, registry: Registry): Promise<WantedPart[]> {
  const { tables, indexes } = await introspect(kysely);
  return wantedSchema(registry).indexes.filter(
    ({ helps, name, table, columns }) =>
      helps && !indexes.has(name) && columns.every((column) => tables.get(table)?.has(column)),
  );
}

async function first(client: pg.Client, text: string): Promise<boolean> {
  return (await client.query<{ ok: boolean }>(text)).rows[0]!.ok;
}
