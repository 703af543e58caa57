import { sql } from 'kysely';
import type { Predicate } from '../../engine/conditions/grammar';
import { always } from '../../engine/conditions/variables';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { reach } from '../access/reach';
import type { RequestContext } from '../access/request-context';
import { predicateToSql } from '../conditions/to-sql';
import type { Transaction } from '../database/database';
import { NotFound } from '../http/errors';
import { completeAnswers } from './complete';
import { filled, planned, Slot } from './plans';
import { selectionOf } from './selection';
import { selectionKey } from './selection-key';

/** One record, archived or not. Throws Refused without the grant, NotFound for what the caller cannot see. */
export async function readRecord(context: RequestContext, definition: Definition, id: number): Promise<ResourceRecord> {
  const record = await find(context, definition, id, reach(context, definition, 'view', { archived: 'any' }));
  if (!record) throw new NotFound();
  return record;
}

/** A record as it is answered after a write, in the transaction that wrote it. */
export async function answerOf(
  context: RequestContext,
  definition: Definition,
  id: number,
  trx?: Transaction,
): Promise<ResourceRecord> {
  const record = await find(context, definition, id, always, trx);
  if (!record) throw new NotFound();
  return record;
}

async function find(
  context: RequestContext,
  definition: Definition,
  id: number,
  where: Predicate,
  trx?: Transaction,
): Promise<ResourceRecord | undefined> {
  const { database } = context.program;
  const key = `one|${selectionKey(context, definition, 'one')}|${JSON.stringify(where)}`;
  const plan = planned(database, key, () => {
    const reached = predicateToSql(where, definition, 't', context.registry, context.surroundings);
    return sql`select ${selectionOf(context, definition, 't', 'one')} from ${sql.id('public', definition.table)} t
      where t.id = ${new Slot('id')}::integer and ${reached}`;
  });
  const rows = await database.named(filled(plan, { id }), trx);
  const [record] = await completeAnswers(context, definition, rows, 'view', trx);
  return record;
}
