import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { columnOf } from '../../engine/field-types';
import { readableFields } from '../access/readable';
import type { RequestContext } from '../access/request-context';
import { BadRequest } from '../errors/errors';
import { hasHooks } from './hooks';
import { shown } from './query/values';
import type { Kind } from './selection';

/** The properties of an answer that a call asks for, the id among them; undefined: all. */
export type Asked = ReadonlySet<string> | undefined;

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

const known = { list: new WeakMap<Definition, ReadonlySet<string>>(), one: new WeakMap<Definition, ReadonlySet<string>>() }; // prettier-ignore

/** Every name that an answer may have for somebody, in the order of the fields. */
function answeredNames(definition: Definition, kind: Kind): ReadonlySet<string> {
  let names = known[kind].get(definition);
  if (names) return names;
  names = new Set(
    Object.values(definition.fields).flatMap((field) => {
      const { name, type, embed, countAs, sum, inLists, secret, computed, virtual } = field;
      if (secret) return [];
      if (type === 'inverse') {
        if (kind === 'one' || inLists === 'records') return [name];
        return inLists === 'count' ? [countAs, ...(sum ? [sum.name] : [])] : [];
      }
      if (type === 'relations') {
        if (kind === 'list' && inLists === 'count') return [name, countAs];
        return embed && (kind === 'one' || inLists === 'records') ? [name, embed] : [name];
      }
      if (computed === undefined && columnOf(field) === null && !virtual) return [];
      return embed ? [name, embed] : [name];
    }),
  );
  known[kind].set(definition, names);
  return names;
}
