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
 * One record, archived or not; of its answer the `asked` properties, where given. Throws Refused without the grant,
 * NotFound for what the caller cannot see.
 */
export async function readRecord(
  context: RequestContext,
  definition: Definition,
  id: number,
  asked?: Asked,
): Promise<ResourceRecord> {
  return recordOf(await readAnswered(context, definition, id, asked));
}

/** As `readRecord`, for whoever sends the record on. */
export async function readAnswered(
  context: RequestContext,
  definition: Definition,
  id: number,
  asked?: Asked,
): Promise<Answered> {
  const selected = selectable(context, definition, 'one', asked);
  const planned = () => planOf(context, definition, reach(context, definition, 'view', { archived: 'any' }), selected);
  const plan = selected ? planned() : perCaller(context, definition, 'read', planned);
  const answered = await answer(context, definition, plan, id);
  return selected || !asked ? answered : onlyAsked([recordOf(answered)], asked)[0]!;
}

/** A record as it is answered after a write, in the transaction that wrote it. */
export async function answerOf(
  context: RequestContext,
  definition: Definition,
  id: number,
  trx?: Transaction,
): Promise<ResourceRecord> {
  return recordOf(await answer(context, definition, planOf(context, definition, always), id, trx));
}

/** The statement that reads a record, if it satisfies the predicate. Its slot is `id`. */
function planOf(context: RequestContext, definition: Definition, where: Predicate, asked?: Asked): Statement {
  const key = `one|${asked ? [...asked].join() : ''}|${selectionKey(context, definition, 'one')}|${conditionKey(context, definition, where)}`;
  return plannedOnce(context.program.database, key, () => {
    const reached = predicateToSql(where, definition, 't', context.registry, context.surroundings);
    return sql`select ${selectionOf(context, definition, 't', 'one', undefined, asked)} from ${sql.id('public', definition.table)} t
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
