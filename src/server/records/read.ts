import { sql } from 'kysely';
import type { Predicate } from '../../engine/conditions/grammar';
import { always } from '../../engine/conditions/variables';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { accessFilter } from '../access/access-filter';
import type { RequestContext } from '../access/request-context';
import { predicateToSql } from '../sql/predicate-to-sql';
import type { Transaction } from '../database/database';
import type { Statement } from '../database/statements';
import { NotFound } from '../errors/errors';
import { loadResponses, parseResponse, type RecordResponse } from './responses';
import { pickRequestedFields, selectableFields } from './requested-fields';
import { bind, cachedGenericStatement, Placeholder } from './statement-cache';
import { selectionSql, type RequestedFields } from './selection';
import { conditionKey, cachedPerCaller, selectionKey } from './selection-key';

/**
 * Loads one record, archived or not, with the requested fields only if given. Throws Forbidden without the grant,
 * NotFound if the caller can't see it.
 */
export async function readRecord(
  context: RequestContext,
  definition: Definition,
  id: number,
  requestedFields?: RequestedFields,
): Promise<ResourceRecord> {
  return parseResponse(await readRecordResponse(context, definition, id, requestedFields));
}

/** As `readRecord`, but may return JSON text, for callers that only send it. */
export async function readRecordResponse(
  context: RequestContext,
  definition: Definition,
  id: number,
  requestedFields?: RequestedFields,
): Promise<RecordResponse> {
  const selected = selectableFields(context, definition, 'one', requestedFields);
  const planned = () =>
    recordStatement(context, definition, accessFilter(context, definition, 'view', { archived: 'any' }), selected);
  const plan = selected ? planned() : cachedPerCaller(context, definition, 'read', planned);
  const response = await loadResponse(context, definition, plan, id);
  return selected || !requestedFields ? response : pickRequestedFields([parseResponse(response)], requestedFields)[0]!;
}

/** A record after a write, as sent in the response, read in the same transaction. */
export async function readAfterWrite(
  context: RequestContext,
  definition: Definition,
  id: number,
  trx?: Transaction,
): Promise<ResourceRecord> {
  return parseResponse(await loadResponse(context, definition, recordStatement(context, definition, always), id, trx));
}

/** The statement that loads a record if it matches the predicate. The placeholder is `id`. */
function recordStatement(
  context: RequestContext,
  definition: Definition,
  where: Predicate,
  requestedFields?: RequestedFields,
): Statement {
  const key = `one|${requestedFields ? [...requestedFields].join() : ''}|${selectionKey(context, definition, 'one')}|${conditionKey(context, definition, where)}`;
  return cachedGenericStatement(context.program.database, key, () => {
    const reached = predicateToSql(where, definition, 't', context.registry, context.evaluationContext);
    return sql`select ${selectionSql(context, definition, 't', 'one', undefined, requestedFields)} from ${sql.id('public', definition.table)} t
      where t.id = ${new Placeholder('id')}::integer and ${reached}`;
  });
}

async function loadResponse(
  context: RequestContext,
  definition: Definition,
  plan: Statement,
  id: number,
  trx?: Transaction,
): Promise<RecordResponse> {
  const [row] = await loadResponses(context, definition, bind(plan, { id }), trx);
  if (!row) throw new NotFound();
  return row.answer;
}
