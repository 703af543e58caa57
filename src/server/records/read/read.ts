import { sql } from 'kysely';
import type { Predicate } from '../../../engine/conditions/grammar';
import { truePredicate } from '../../../engine/conditions/variables';
import type { Condition, Definition, ResourceRecord, Field, Rule } from '../../../engine/definitions/definition';
import { ruledName } from '../../../engine/expressions/derivations';
import { rulesFor } from '../../../engine/access/access-decision';
import { accessFilter, ruleAllowsField, readableFields, readsForReader } from '../../access/access-filter';
import type { RecordScope, TransactionScope } from '../../access/record-scope';
import type { RequestContext } from '../../access/request-context';
import { predicateToSql } from '../../sql/predicate-to-sql';
import type { Transaction, Row } from '../../database/database';
import type { Statement } from '../../database/statements';
import { NotFound, BadRequest } from '../../errors/errors';
import { bind, cachedGenericStatement, Placeholder, conditionKey, selectionKey } from './statement-cache';
import { joinedSelectionSql, type RequestedFields, type RecordView } from './selection';
import { isInternalColumn } from '../../database/json-rows';
import { matchesCondition, predicateOf } from '../../../engine/conditions/match-condition';
import { relatedTestsIn } from '../../../engine/conditions/related-tests';
import { loadRuleResults } from '../write/stored-row';
import { runHooks, hasHooks } from '../write/hooks';
import { requestableNames } from '../../../engine/registry/response-names';
import { quoteValue } from './query/values';
import { addFileUrls, fileWriters } from '../files/file-urls';

/**
 * Loads one record, archived or not, with the requested fields only if given. Throws Forbidden without the grant,
 * NotFound if the caller can't see it.
 *
 * @example const { amount } = await readRecord({ context, definition: deals }, 7);
 */
export async function readRecord(
  scope: RecordScope,
  id: number,
  requestedFields?: RequestedFields,
): Promise<ResourceRecord> {
  return parseResponse(await readRecordResponse(scope, id, requestedFields));
}

/** As `readRecord`, but may return JSON text, for callers that only send it. */
export async function readRecordResponse(
  scope: RecordScope,
  id: number,
  requestedFields?: RequestedFields,
): Promise<RecordResponse> {
  const { context, definition } = scope;
  const selected = selectableFields(scope, 'one', requestedFields);
  const filter = accessFilter(context, definition, 'view', { archived: 'any' });
  const plan = recordStatement(scope, filter, selected);
  const response = await loadResponse({ context, definition }, plan, id);
  return selected || !requestedFields ? response : pickRequestedFields([parseResponse(response)], requestedFields)[0]!;
}

/**
 * A record after a write, as sent in the response, read in the same transaction.
 *
 * @example return readAfterWrite({ context, definition: deals }, id, trx);
 */
export async function readAfterWrite(scope: RecordScope, id: number, trx?: Transaction): Promise<ResourceRecord> {
  const { context, definition } = scope;
  return parseResponse(await loadResponse({ context, definition }, recordStatement(scope, truePredicate), id, trx));
}

/**
 * Many records after a write, as sent in the response, in the order of the ids and with the requested fields only if
 * given: one statement.
 */
export async function readManyAfterWrite(
  scope: TransactionScope,
  ids: readonly number[],
  requestedFields: RequestedFields,
): Promise<ResourceRecord[]> {
  const { context, definition, trx } = scope;
  if (ids.length === 0) return [];
  const selected = selectableFields(scope, 'one', requestedFields);
  const key = `many|${selected ? [...selected].join() : ''}|${selectionKey(context, definition, 'one')}`;
  const plan = cachedGenericStatement(context, key, () => {
    const { columns, joins: joinSql } = joinedSelectionSql({ context, definition }, 't', 'one', undefined, selected);
    return sql`select ${columns} from ${sql.id('public', definition.table)} t ${joinSql} where t.id = any(${new Placeholder('ids')}::bigint[])`;
  });
  const rows = await loadResponses(scope, bind(plan, { ids }), trx);
  const records = new Map(
    rows.map(({ answer }) => parseResponse(answer)).map((record) => [record.id as number, record]),
  );
  const inOrder = ids.map((id) => records.get(id)!);
  return selected || !requestedFields ? inOrder : pickRequestedFields(inOrder, requestedFields);
}

/** The statement that loads a record if it matches the predicate. The placeholder is `id`. */
function recordStatement(scope: RecordScope, filter: Predicate, requestedFields?: RequestedFields): Statement {
  const { context, definition } = scope;
  const key = `one|${requestedFields ? [...requestedFields].join() : ''}|${selectionKey(context, definition, 'one')}|${conditionKey(context, definition, filter)}`;
  return cachedGenericStatement(context, key, () => {
    const condition = predicateToSql(filter, definition, 't', context.registry, context.evaluationContext);
    const { columns, joins: joinSql } = joinedSelectionSql(scope, 't', 'one', undefined, requestedFields);
    return sql`select ${columns} from ${sql.id('public', definition.table)} t ${joinSql}
      where t.id = ${new Placeholder('id')}::bigint and ${condition}`;
  });
}

async function loadResponse(
  scope: RecordScope,
  plan: Statement,
  id: number,
  trx?: Transaction,
): Promise<RecordResponse> {
  const [row] = await loadResponses(scope, bind(plan, { id }), trx);
  if (!row) throw new NotFound();
  return row.answer;
}

/**
 * A record as JSON text, exactly as PostgreSQL returned it, so that nothing has to parse it on its way to the caller.
 */
export class RecordJson {
  constructor(readonly text: string) {}
}

/** A record as sent in a response. */
export type RecordResponse = ResourceRecord | RecordJson;

/** One row returned by a statement. */
export interface ResponseRow {
  readonly answer: RecordResponse;
  /** Internal columns that are not part of the response. */
  readonly beside: Row;
}

/** The record's values, parsed if necessary. */
export function parseResponse(response: RecordResponse): ResourceRecord {
  return response instanceof RecordJson ? (JSON.parse(response.text) as ResourceRecord) : response;
}

/** The response as JSON text. */
export function responseJson(response: unknown): string {
  return response instanceof RecordJson ? response.text : JSON.stringify(response);
}

/**
 * Runs a statement and returns its records, ready to be sent: as JSON text unless hooks or field rules have to process
 * them.
 */
export async function loadResponses(
  scope: RecordScope,
  statement: Statement,
  trx?: Transaction,
): Promise<ResponseRow[]> {
  const { context, definition } = scope;
  const { database } = context.program;
  if (!trx && database.root === database && !needsProcessing(context, definition, 'one')) {
    const rows = await database.queryAsJson(statement, fileWriters(context.program, context.registry, definition));
    return rows.map(({ text, beside }) => ({ answer: new RecordJson(text), beside }));
  }
  const rows = await database.query(statement, trx);
  const records = rows.map((row) =>
    Object.fromEntries(Object.entries(row).filter(([name]) => !isInternalColumn(name))),
  );
  const responses = await completeResponses(scope, records, 'view', trx);
  return responses.map((response, index) => ({ answer: response, beside: rows[index]! }));
}

/**
 * Turns rows into responses: runs the hooks that complete them, and removes fields that a field rule hides on some
 * records.
 */
export async function completeResponses(
  scope: RecordScope,
  records: ResourceRecord[],
  action: 'list' | 'view',
  trx?: Transaction,
): Promise<ResourceRecord[]> {
  const { context, definition } = scope;
  if (definition.hooks.afterRead && records.length > 0) {
    await runHooks(scope, 'afterRead', { records, values: {}, input: {}, trx });
  }
  const { always: alwaysReadable, sometimes: sometimesReadable } = readableFields(context.actor, definition, action);
  if (alwaysReadable.size !== sometimesReadable.size && records.length > 0) {
    const rulesOf = await loadHoldingRules(scope, records, action, trx);
    const viewersRulesOf =
      context.viewer && (await loadHoldingRules({ context: context.viewer, definition }, records, action, trx));
    for (const record of records) {
      // Find all hidden fields before deleting any: the conditions of rules may read fields that other rules hide.
      const hidden = [rulesOf, viewersRulesOf].flatMap((rules) =>
        rules ? fieldsHiddenBy(definition, rules(record)) : [],
      );
      for (const { name, embed, countName, sum } of hidden)
        for (const propertyName of [name, embed, countName, sum?.name])
          if (propertyName !== undefined) delete record[propertyName];
    }
  }
  addFileUrls(context.program, context.registry, definition, records);
  return records;
}

/** The rules of an action that match a record; undefined if no rule restricts it. */
type HoldingRules = (record: ResourceRecord) => readonly Rule[] | undefined;

/**
 * Conditions on the record itself are evaluated on its response; if some are on related records, all of them by one
 * statement.
 */
async function loadHoldingRules(
  { context, definition }: RecordScope,
  records: readonly ResourceRecord[],
  action: 'list' | 'view',
  trx: Transaction | undefined,
): Promise<HoldingRules> {
  const rules = rulesFor(context.actor, definition, action);
  if (rules.length === 0) return () => undefined;
  const needsRow = (condition: Condition) =>
    relatedTestsIn(predicateOf(condition)).length > 0 || readsForReader(context, definition, condition);
  if (!rules.some(({ where: condition }) => condition && needsRow(condition))) {
    return (record) =>
      rules.filter(
        ({ where: condition }) => !condition || matchesCondition(condition, record, context.evaluationContext),
      );
  }
  const ids = records.map(({ id }) => Number(id));
  const queries = trx ?? context.program.database.kysely;
  const results = await loadRuleResults({ context, definition, queries }, action, ids);
  return ({ id }) => rules.filter((_, index) => results.get(Number(id))?.[index]);
}

function fieldsHiddenBy(definition: Definition, matchingRules: readonly Rule[] | undefined): Field[] {
  if (!matchingRules) return [];
  return Object.values(definition.fields).filter(
    (field) => !matchingRules.some((rule) => ruleAllowsField(rule, ruledName(field))),
  );
}

/**
 * Parses `fields=name,project,tasks_count`: names of fields, embeds and counts as they appear in responses. Order does
 * not matter. Throws BadRequest for an unknown name.
 */
export function parseRequestedFields(definition: Definition, kind: RecordView, text: unknown): RequestedFields {
  if (text === undefined) return undefined;
  if (typeof text !== 'string') throw new BadRequest('fields must be names with commas between them, such as id,name.');
  const knownNames = requestableNames(definition, kind);
  const names = new Set(text.split(',').flatMap((name) => name.trim() || []));
  for (const name of names) {
    if (knownNames.has(name)) continue;
    const subject = kind === 'list' ? `${definition.labels.many} in lists` : `A ${definition.labels.one.toLowerCase()}`;
    throw new BadRequest(
      `fields: ${subject} ${kind === 'list' ? 'have' : 'has'} no field ${quoteValue(name)}.`,
      'UNKNOWN_FIELD',
    );
  }
  return new Set([...knownNames].filter((name) => name === 'id' || names.has(name)));
}

/** Whether hooks or field rules have to process rows before they are sent; those may read any field. */
export function needsProcessing(context: RequestContext, definition: Definition, kind: RecordView): boolean {
  if (hasHooks(definition, 'afterRead')) return true;
  const { always: alwaysReadable, sometimes: sometimesReadable } = readableFields(
    context.actor,
    definition,
    kind === 'list' ? 'list' : 'view',
  );
  return alwaysReadable.size !== sometimesReadable.size;
}

/** The requested fields to select in the database; undefined (all) if rows are processed before they are sent. */
export function selectableFields(
  { context, definition }: RecordScope,
  kind: RecordView,
  requested: RequestedFields,
): RequestedFields {
  return requested && needsProcessing(context, definition, kind) ? undefined : requested;
}

/** Removes fields that were not requested. */
export function pickRequestedFields(records: ResourceRecord[], requested: RequestedFields): ResourceRecord[] {
  if (!requested) return records;
  return records.map((record) => Object.fromEntries(Object.entries(record).filter(([name]) => requested.has(name))));
}
