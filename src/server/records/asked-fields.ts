import { answeredNames } from '../../engine/definitions/answered-names';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { readableFields } from '../access/readable';
import type { RequestContext } from '../access/request-context';
import { BadRequest } from '../errors/errors';
import { hasHooks } from './hooks';
import { shown } from './query/values';
import type { Asked, Kind } from './selection';

/**
 * Parses `fields=name,project,tasks_count`: names of fields, embeds and counts as they appear in responses. Order does
 * not matter. Throws BadRequest for an unknown name.
 */
export function readAsked(definition: Definition, kind: Kind, text: unknown): Asked {
  if (text === undefined) return undefined;
  if (typeof text !== 'string') throw new BadRequest('fields must be names with commas between them, such as id,name.');
  const known = answeredNames(definition, kind);
  const names = new Set(text.split(',').flatMap((name) => name.trim() || []));
  for (const name of names) {
    if (known.has(name)) continue;
    const where = kind === 'list' ? `${definition.labels.many} in lists` : `A ${definition.labels.one.toLowerCase()}`;
    throw new BadRequest(
      `fields: ${where} ${kind === 'list' ? 'have' : 'has'} no field ${shown(name)}.`,
      'UNKNOWN_FIELD',
    );
  }
  return new Set([...known].filter((name) => name === 'id' || names.has(name)));
}

/** Whether hooks or field rules have to process rows before they are sent; those may read any field. */
export function isLookedAt(context: RequestContext, definition: Definition, kind: Kind): boolean {
  if (hasHooks(definition, 'afterRead')) return true;
  const { always, sometimes } = readableFields(context.actor, definition, kind === 'list' ? 'list' : 'view');
  return always.size !== sometimes.size;
}

/** The requested fields to select in the database; undefined (all) if rows are processed before they are sent. */
export function selectable(context: RequestContext, definition: Definition, kind: Kind, requested: Asked): Asked {
  return requested && isLookedAt(context, definition, kind) ? undefined : requested;
}

/** Removes fields that were not requested. */
export function onlyAsked(records: ResourceRecord[], requested: Asked): ResourceRecord[] {
  if (!requested) return records;
  return records.map((record) => Object.fromEntries(Object.entries(record).filter(([name]) => requested.has(name))));
}
