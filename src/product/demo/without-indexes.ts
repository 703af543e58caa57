import { sql } from 'kysely';
import type { Transaction } from '../../server/database/database';

interface TableObject {
  readonly table: string;
  readonly drop: string;
  readonly restore: string;
}

/**
 * Drops indexes and foreign keys while tables are filled, and restores them afterwards: building indexes and checking
 * references once is much faster than row by row.
 */
export async function withoutIndexes(
  trx: Transaction,
  tables: readonly string[],
  fill: () => Promise<void>,
): Promise<void> {
  const { rows: keys } = await sql<TableObject>`
    select c.conrelid::regclass::text as table,
      format('alter table %s drop constraint %I', c.conrelid::regclass, c.conname) as drop,
      format('alter table %s add constraint %I %s', c.conrelid::regclass, c.conname, pg_get_constraintdef(c.oid)) as restore
    from pg_constraint c where c.contype = 'f' and c.conrelid::regclass::text = any(${tables}::text[])`.execute(trx);
  const { rows: indexes } = await sql<TableObject>`
    select i.indrelid::regclass::text as table, format('drop index %s', i.indexrelid::regclass) as drop,
      pg_get_indexdef(i.indexrelid) as restore
    from pg_index i where i.indrelid::regclass::text = any(${tables}::text[]) and not i.indisprimary
      and not exists (select from pg_constraint c where c.conindid = i.indexrelid and c.contype <> 'f')`.execute(trx);
  const parts = [...keys, ...indexes];
  for (const { drop } of parts) await sql.raw(drop).execute(trx);
  await fill();
  for (const { restore } of parts.reverse()) await sql.raw(restore).execute(trx);
}
