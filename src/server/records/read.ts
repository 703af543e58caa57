import { sql } from 'kysely';
import type { Predicate } from '../../engine/conditions/grammar';
import { always } from '../../engine/conditions/variables';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { reach } from '../access/reach';
import type { RequestContext } from '../access/request-context';
import { predicateToSql } from '../conditions/to-sql';
import type { Transaction } from '../database/database';
import type { Statement } from '../database/statements';
import { NotFound } from '../errors/errors';
import { readAnswers, recordOf, type Answered } from './answers';
import { onlyAsked, selectable } from './asked-fields';
import { filled, plannedOnce, Slot } from './plans';
import { selectionOf, type Asked } from './selection';
import { conditionKey, perCaller, selectionKey } from './selection-key';

/**
 * Loads one record, archived or not, with the requested fields only if given. Throws Refused without the grant,
 * NotFound if the caller can't see it.
 */
export async function readRecord(
  context: RequestContext,
  definition: Definition,
  id: number,
  requestedFields?: Asked,
): Promise<ResourceRecord> {
  return recordOf(await readAnswered(context, definition, id, requestedFields));
}

/** As `readRecord`, but may return JSON text, for callers that only send it. */
export async function readAnswered(
  context: RequestContext,
  definition: Definition,
  id: number,
  requestedFields?: Asked,
): Promise<Answered> {
  const selected = selectable(context, definition, 'one', requestedFields);
  const planned = () => planOf(context, definition, reach(context, definition, 'view', { archived: 'any' }), selected);
  const plan = selected ? planned() : perCaller(context, definition, 'read', planned);
  const response = await answer(context, definition, plan, id);
  return selected || !requestedFields ? response : onlyAsked([recordOf(response)], requestedFields)[0]!;
}

/** A record after a write, as sent in the response, read in the same transaction. */
export async function answerOf(
  context: RequestContext,
  definition: Definition,
  id: number,
  trx?: Transaction,
): Promise<ResourceRecord> {
  return recordOf(await answer(context, definition, planOf(context, definition, always), id, trx));
}

/** The statement that loads a record if it matches the predicate. The placeholder is `id`. */
function planOf(context: RequestContext, definition: Definition, where: Predicate, requestedFields?: Asked): Statement {
  const key = `one|${requestedFields ? [...requestedFields].join() : ''}|${selectionKey(context, definition, 'one')}|${conditionKey(context, definition, where)}`;
  return plannedOnce(context.program.database, key, () => {
    const reached = predicateToSql(where, definition, 't', context.registry, context.surroundings);
    return sql`select ${selectionOf(context, definition, 't', 'one', undefined, requestedFields)} from ${sql.id('public', definition.table)} t
      where t.id = ${new Slot('id')}::integer and ${reached}`;
  });
}

async function answer(
  context: RequestContext,
  definition: Definition,
  plan: Statement,
  id: number,
  trx?: Transaction,
): Promise<Answered> {
  const [row] = await readAnswers(context, definition, filled(plan, { id }), trx);
  if (!row) throw new NotFound();
  return row.answer;
}
