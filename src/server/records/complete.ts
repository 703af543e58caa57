import type { Definition, Field, ResourceRecord } from '../../engine/definitions/definition';
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
  // All are found before any is taken away: rules ask about fields that other rules may hide.
  for (const field of hidden(context, definition, record, action)) {
    for (const name of [field.name, field.embed, field.countAs, field.sum?.name])
      if (name !== undefined) delete record[name];
  }
}

function hidden(context: RequestContext, definition: Definition, record: ResourceRecord, action: 'list' | 'view') {
  const viewers: Field[] = context.viewer ? hidden(context.viewer, definition, record, action) : [];
  const rules = rulesFor(context.actor, definition, action);
  if (rules.length === 0) return viewers;
  const holding = rules.filter((rule) => !rule.where || holds(rule.where, record, context.surroundings));
  const own = Object.values(definition.fields).filter(({ name }) => !holding.some((rule) => covers(rule, name)));
  return [...viewers, ...own];
}
