import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { columnOf } from '../../engine/field-types';
import type { Definition } from '../../engine/definitions/definition';
import type { Cell } from '../../engine/exports/cells';
import type { Database } from '../database/database';
import { csvSheet } from '../exports/sheet/csv';
import { NotFound } from '../http/errors';
import { introspect } from '../sync/introspect';

const AT_ONCE = 5_000;

/**
 * The values of a stored column as a CSV of `id` and value, read while it is sent: for a copy before the column goes.
 * Throws NotFound for a column that there is not, and for one that is secret.
 */
export async function columnFile({ kysely }: Database, definition: Definition, column: string): Promise<Readable> {
  const { tables } = await introspect(kysely);
  const field = Object.hasOwn(definition.fields, column) ? definition.fields[column] : undefined;
  const stored = tables.get(definition.table)?.has(column);
  if (!stored || field?.secret || (field && columnOf(field) === null)) throw new NotFound();
  const [table, id] = [sql.id('public', definition.table), sql.id(column)];
  async function* parts() {
    const sheet = csvSheet({ title: column, headings: ['id', column], timeZone: 'UTC' });
    for (let after = 0; ;) {
      const { rows } = await sql<{ id: number; value: Cell }>`select id, ${id}::text as value from ${table}
        where id > ${after} and ${id} is not null order by id limit ${sql.lit(AT_ONCE)}`.execute(kysely);
      if (rows.length > 0) yield sheet.rows(rows.map((row) => [row.id, row.value]));
      if (rows.length < AT_ONCE) break;
      after = rows.at(-1)!.id;
    }
    yield sheet.end();
  }
  return Readable.from(parts(), { objectMode: false });
}
