import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { Registry } from '../../engine/registry/registry';
import type { Database } from '../database/database';
import { introspect } from './row-queries';
import { quoteIdentifier, qualifiedTable, type SchemaObject, targetSchema } from './target-schema';
import { oneRow } from '../database/one-row';

const BUILD_LOCK = 0x61_73_73_69;
/** Milliseconds between checks whether another server is building indexes. */
const LOCK_RETRY_INTERVAL = 500;

/**
 * Builds the indexes that a sync deferred, while the tables stay in use: one server at a time, skipping or replacing
 * what another server or an earlier attempt has built. Returns a description of each.
 */
export async function buildDeferredIndexes(database: Database, registry: Registry): Promise<string[]> {
  if ((await missingIndexes(database, registry)).length === 0) return [];
  return database.withDirectConnection(async (client) => {
    await client.query('set statement_timeout = 0; set lock_timeout = 0; set idle_session_timeout = 0');
    // Polls instead of waiting in PostgreSQL: an index being built waits for transactions that wait there.
    while (!(await queryFlag(client, `select pg_try_advisory_lock(${BUILD_LOCK}) as ok`)))
      await pause(LOCK_RETRY_INTERVAL, undefined, { ref: false });
    const built: string[] = [];
    for (const part of await missingIndexes(database, registry)) {
      await client.query(`drop index concurrently if exists public.${quoteIdentifier(part.name)}`);
      await client.query(part.sql.replace(/^create index/, 'create index concurrently'));
      // Without statistics of a new column, PostgreSQL expects every search to match many rows.
      await client.query(`analyze ${qualifiedTable(part.table)} (${part.columns.map(quoteIdentifier).join(', ')})`);
      built.push(part.text);
    }
    return built;
  });
}

/** The optional indexes that are missing or incomplete, of tables that already have their columns. */
async function missingIndexes({ kysely }: Database, registry: Registry): Promise<SchemaObject[]> {
  const { tables, indexes } = await introspect(kysely);
  return targetSchema(registry).indexes.filter(
    ({ isOptional, name, table, columns }) =>
      isOptional && !indexes.has(name) && columns.every((column) => tables.get(table)?.has(column)),
  );
}

async function queryFlag(client: pg.Client, text: string): Promise<boolean> {
  return oneRow(await client.query<{ ok: boolean }>(text)).ok;
}
