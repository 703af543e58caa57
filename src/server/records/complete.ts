import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { holds } from '../../engine/conditions/evaluate';
import { covers, readableFields, rulesFor } from '../access/readable';
import type { RequestContext } from '../access/request-context';
import type { Transaction } from '../database/database';
import { addressFiles } from '../files/record-files';
import { runHooks } from './hooks';

/**
 * Makes rows into answers: hooks complete them, and what a field rule hides on some records is taken away there.
 */
export async function completeAnswers(
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
  if (always.size !== sometimes.size) for (const record of records) hide(context, definition, record, action);
  addressFiles(context.program, definition, records);
  return records;
}

function hide(context: RequestContext, definition: Definition, record: ResourceRecord, action: 'list' | 'view'): void {
  const rules = rulesFor(context.actor, definition, action);
  const holding = rules.filter((rule) => !rule.where || holds(rule.where, record, context.surroundings));
  for (const field of Object.values(definition.fields)) {
    if (holding.some((rule) => covers(rule, field.name))) continue;
    for (const name of [field.name, field.embed, field.countAs]) if (name !== undefined) delete record[name];
  }
}
