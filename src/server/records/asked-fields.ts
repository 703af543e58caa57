import { answeredNames } from '../../engine/definitions/answered-names';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { readableFields } from '../access/readable';
import type { RequestContext } from '../access/request-context';
import { BadRequest } from '../errors/errors';
import { hasHooks } from './hooks';
import { shown } from './query/values';
import type { Asked, Kind } from './selection';

/**
 * Reads `fields=name,project,tasks_count`: fields, embeds and counts by the names that they have in answers. The same
 * names in another order are the same set. Throws BadRequest for a name that no such answer has.
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

/** Whether rows pass through hooks or rules on their way to an answer, which may look at any field. */
export function isLookedAt(context: RequestContext, definition: Definition, kind: Kind): boolean {
  if (hasHooks(definition, 'afterRead')) return true;
  const { always, sometimes } = readableFields(context.actor, definition, kind === 'list' ? 'list' : 'view');
  return always.size !== sometimes.size;
}

/** The part of `asked` that the database can be asked for. */
export function selectable(context: RequestContext, definition: Definition, kind: Kind, asked: Asked): Asked {
  return asked && isLookedAt(context, definition, kind) ? undefined : asked;
}

/** Leaves of answers what was asked for. */
export function onlyAsked(records: ResourceRecord[], asked: Asked): ResourceRecord[] {
  if (!asked) return records;
  return records.map((record) => Object.fromEntries(Object.entries(record).filter(([name]) => asked.has(name))));
}
