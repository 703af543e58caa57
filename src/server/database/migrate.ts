import { sql } from 'kysely';
import type { Database } from './database';
import { lockSchema } from './schema-lock';
import { migrations } from './migrations';

/**
 * Migrates the schema `assay` in one transaction, one server at a time. Throws if the database was written by a newer
 * version of the program. Returns the names of the applied migrations.
 */
export async function migrate(database: Database): Promise<string[]> {
  return database.transaction(async (trx) => {
    await lockSchema(trx);
    await sql`create schema if not exists assay`.execute(trx);
    await sql`create table if not exists assay.migrations (
      name text primary key, applied_at timestamptz(3) not null default now())`.execute(trx);
    const { rows } = await sql<{ name: string }>`select name from assay.migrations`.execute(trx);
    const applied = new Set(rows.map(({ name }) => name));
    const unknown = [...applied].filter((name) => !migrations.some((migration) => migration.name === name));
    if (unknown.length > 0) {
      throw new Error(`The database was written by a newer version of the program (it has ${unknown.join(', ')}).`);
    }
    const missing = migrations.filter(({ name }) => !applied.has(name));
    for (const migration of missing) {
      await sql.raw(migration.sql).execute(trx);
      await sql`insert into assay.migrations (name) values (${migration.name})`.execute(trx);
    }
    return missing.map(({ name }) => name);
  });
}
