import { sql } from 'kysely';
import { tableLockTimeout } from './busy-locks';
import type { Database, Queries } from './database';
import { lockSchema } from './schema-lock';
import { formerSteps, migrations } from './migrations';
import { baseline } from './migrations/0001-baseline';
import type { Migration } from './migrations/migration';
import { oneRow } from './one-row';

/**
 * Migrates the schema `assay` in one transaction, one server at a time. Throws if the database was written by a newer
 * version of the program or by one before the baseline, and PostgreSQL's error 55P03 if others use its tables. Returns the
 * names of the applied migrations.
 */
export async function migrate(database: Database): Promise<string[]> {
  if ((await hasMigrations(database.kysely)) && (await isUpToDate(database.kysely))) return [];
  return database.transaction(async (trx) => {
    // Those who use a table queue behind a change of it.
    await lockSchema(trx, tableLockTimeout);
    await sql`create schema if not exists assay`.execute(trx);
    await sql`create table if not exists assay.migrations (
      name text primary key, applied_at timestamptz(3) not null default now())`.execute(trx);
    await replaceFormerSteps(trx);
    const pendingMigrations = await missingMigrations(trx);
    for (const migration of pendingMigrations) {
      if (migration.sql !== '') await sql.raw(migration.sql).execute(trx);
      await migration.rewrite?.(trx);
      await sql`insert into assay.migrations (name) values (${migration.name})`.execute(trx);
    }
    return pendingMigrations.map(({ name }) => name);
  });
}

/** Whether the table of migrations exists. */
async function hasMigrations(queries: Queries): Promise<boolean> {
  const row = oneRow(
    await sql<{ has: boolean }>`select to_regclass('assay.migrations') is not null as has`.execute(queries),
  );
  return row.has;
}

async function isUpToDate(queries: Queries): Promise<boolean> {
  const appliedNames = await appliedMigrations(queries);
  return appliedNames.size === migrations.length && migrations.every(({ name }) => appliedNames.has(name));
}

/** The steps that the baseline replaced are noted as the baseline: the tables that they made are the same. */
async function replaceFormerSteps(queries: Queries): Promise<void> {
  const formerMigrations = formerSteps(await appliedMigrations(queries));
  if (formerMigrations.length === 0) return;
  await sql`delete from assay.migrations where name in (${sql.join(formerMigrations)})`.execute(queries);
  await sql`insert into assay.migrations (name) values (${baseline.name})`.execute(queries);
  await sql`drop table if exists assay.import_mappings`.execute(queries);
}

async function appliedMigrations(queries: Queries): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ name: string }>`select name from assay.migrations`.execute(queries);
  return new Set(rows.map(({ name }) => name));
}

/** The migrations that were not applied yet, oldest first. Throws if there are some that this version does not know. */
async function missingMigrations(queries: Queries): Promise<readonly Migration[]> {
  const appliedNames = await appliedMigrations(queries);
  const unknown = [...appliedNames].filter((name) => !migrations.some((migration) => migration.name === name));
  if (unknown.length > 0) {
    throw new Error(`The database was written by a newer version of the program (it has ${unknown.join(', ')}).`);
  }
  return migrations.filter(({ name }) => !appliedNames.has(name));
}
