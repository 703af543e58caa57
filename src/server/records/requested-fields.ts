import { responseNames } from '../../engine/definitions/response-names';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { readableFields } from '../access/readable-fields';
import type { RequestContext } from '../access/request-context';
import { BadRequest } from '../errors/errors';
import { hasHooks } from './hooks';
import { quoteValue } from './query/values';
import type { RequestedFields, RecordView } from './selection';

/**
 * Parses `fields=name,project,tasks_count`: names of fields, embeds and counts as they appear in responses. Order does
 * not matter. Throws BadRequest for an unknown name.
 */
export function parseRequestedFields(definition: Definition, kind: RecordView, text: unknown): RequestedFields {
  if (text === undefined) return undefined;
  if (typeof text !== 'string') throw new BadRequest('fields must be names with commas between them, such as id,name.');
  const known = responseNames(definition, kind);
  const names = new Set(text.split(',').flatMap((name) => name.trim() || []));
  for (const name of names) {
    if (known.has(name)) continue;
    const where = kind === 'list' ? `${definition.labels.many} in lists` : `A ${definition.labels.one.toLowerCase()}`;
    throw new BadRequest(
      `fields: ${where} ${kind === 'list' ? 'have' : 'has'} no field ${quoteValue(name)}.`,
      'UNKNOWN_FIELD',
    );
  }
  return new Set([...known].filter((name) => name === 'id' || names.has(name)));
}

/** Whether hooks or field rules have to process rows before they are sent; those may read any field. */
export function needsProcessing(context: RequestContext, definition: Definition, kind: RecordView): boolean {
  if (hasHooks(definition, 'afterRead')) return true;
  const { always, sometimes } = readableFields(context.actor, definition, kind === 'list' ? 'list' : 'view');
  return always.size !== sometimes.size;
}

/** The requested fields to select in the database; undefined (all) if rows are processed before they are sent. */
export function selectableFields(
  context: RequestContext,
  definition: Definition,
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
