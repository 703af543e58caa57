import type { Definition, Field, ResourceRecord } from '../../engine/definitions/definition';
import { matchesCondition } from '../../engine/conditions/match-condition';
import { ruleAllowsField, readableFields, rulesFor } from '../access/readable-fields';
import type { RequestContext } from '../access/request-context';
import type { Transaction } from '../database/database';
import { addFileUrls } from './record-files';
import { runHooks } from './hooks';

/**
 * Turns rows into responses: runs the hooks that complete them, and removes fields that a field rule hides on some
 * records.
 */
export async function completeResponses(
  context: RequestContext,
  definition: Definition,
  records: ResourceRecord[],
  action: 'list' | 'view',
  trx?: Transaction,
): Promise<ResourceRecord[]> {
  if (definition.hooks.afterRead && records.length > 0) {
    await runHooks(context, definition, 'afterRead', { records, values: {}, input: {}, trx });
  }
  const { always, sometimes } = readableFields(context.actor, definition, action);
  if (always.size !== sometimes.size)
    for (const record of records) removeHiddenFields(context, definition, record, action);
  addFileUrls(context.program, definition, records);
  return records;
}

function removeHiddenFields(
  context: RequestContext,
  definition: Definition,
  record: ResourceRecord,
  action: 'list' | 'view',
): void {
  // Find all hidden fields before deleting any: the conditions of rules may read fields that other rules hide.
  for (const field of hiddenFields(context, definition, record, action)) {
    for (const name of [field.name, field.embed, field.countAs, field.sum?.name])
      if (name !== undefined) delete record[name];
  }
}

function hiddenFields(
  context: RequestContext,
  definition: Definition,
  record: ResourceRecord,
  action: 'list' | 'view',
) {
  const viewers: Field[] = context.viewer ? hiddenFields(context.viewer, definition, record, action) : [];
  const rules = rulesFor(context.actor, definition, action);
  if (rules.length === 0) return viewers;
  const holding = rules.filter(
    (rule) => !rule.where || matchesCondition(rule.where, record, context.evaluationContext),
  );
  const ownFields = Object.values(definition.fields).filter(
    ({ name }) => !holding.some((rule) => ruleAllowsField(rule, name)),
  );
  return [...viewers, ...ownFields];
}
