import { writtenTypeOf } from '../field-types';
import type { FieldTypeName } from '../definitions/definition';
import { labelOf } from '../definitions/labels';
import type { Source } from '../definitions/source';
import { systemFields } from '../definitions/system-fields';
import { languageFiles } from '../language/files';
import type { Reference } from '../language/key';
import { keyReferencesOf, placesAt, referencesOf, type Place } from '../language/walk';
import { isJsonObject, valueAtPath } from './json';

/** Names outside of the definition: other definitions. */
export interface KnownNames {
  /** The names of all resources. */
  readonly resources?: readonly string[];
  /** The names of the fields of a resource. */
  readonly fieldsOf?: (resource: string) => readonly string[];
  /** The relations that point to a resource, as `resource.field`. */
  readonly relationsTo?: (resource: string) => readonly string[];
  readonly icons?: readonly string[];
}

/** A name that is allowed at a place, and its description. */
export interface NamedItem {
  readonly name: string;
  readonly description?: string;
}

/** The fields of a definition by name, including system fields, with their labels. */
export function fieldNames(source: unknown): NamedItem[] {
  if (!isJsonObject(source) || !isJsonObject(source.fields)) return [];
  const written = { labels: {}, ...source } as unknown as Source;
  const all = { ...source.fields, ...systemFields(written), ...source.fields } as Record<string, unknown>;
  return Object.entries(all).map(([name, field]) => ({
    name,
    description: isJsonObject(field) && typeof field.label === 'string' ? field.label : labelOf(name),
  }));
}

/** The names that are allowed as text at a place. */
export function namesAt(source: unknown, steps: readonly string[], known: KnownNames): NamedItem[] {
  return referencesOf(placesAt(source, steps)).flatMap((reference) => namesOf(reference, source, steps, known));
}

function namesOf(reference: Reference, source: unknown, steps: readonly string[], known: KnownNames): NamedItem[] {
  switch (reference.kind) {
    case 'field':
    case 'path':
      return fieldNamesIn(reference.in, source, steps, known);
    case 'sort':
      return fieldNames(source).flatMap((one) => [one, { ...one, name: `-${one.name}` }]);
    case 'resource':
      return endsAtField(source, steps) ? fieldNamesIn(undefined, source, steps, known) : toItems(known.resources);
    case 'relation':
      return toItems(known.relationsTo?.(String(valueAtPath(source, ['name']))));
    case 'icon':
      return toItems(known.icons);
    case 'request':
      return toItems(Object.keys(objectAt(source, ['requests'])));
    default:
      return [];
  }
}

/** Whether a place is the `to` of a field that ends at another field, as a duration does. */
function endsAtField(source: unknown, steps: readonly string[]): boolean {
  const { type } = objectAt(source, steps.slice(0, -1));
  return (
    steps.at(-1) === 'to' && writtenTypeOf({ type: type as FieldTypeName | undefined }).references?.to !== undefined
  );
}

/** The fields of the definition, of the rows of a field, or of the resource that a key beside or above a place names. */
function fieldNamesIn(
  key: string | undefined,
  source: unknown,
  steps: readonly string[],
  known: KnownNames,
): NamedItem[] {
  if (key === undefined)
    return isColumn(steps) ? toItems(Object.keys(objectAt(source, steps.slice(0, 3)))) : fieldNames(source);
  const resource = resourceNamedBy(key, source, steps);
  return resource === undefined ? [] : toItems(known.fieldsOf?.(resource));
}

/** Whether a place is within a column of a field with rows. */
const isColumn = (steps: readonly string[]) => steps[0] === 'fields' && steps[2] === 'fields' && steps.length > 3;

/**
 * The resource that the nearest key of this name beside or above a place names: directly, as `resource.field`, or as a
 * field or filter that refers to it.
 */
function resourceNamedBy(key: string, source: unknown, steps: readonly string[]): string | undefined {
  for (let length = steps.length - 1; length > 0; length -= 1) {
    const owner = valueAtPath(source, steps.slice(0, length));
    if (!isJsonObject(owner)) continue;
    if (key === 'field') return targetOf(source, String(owner.field ?? steps[length - 1]));
    if (typeof owner[key] === 'string') return owner[key].split('.')[0];
  }
  return undefined;
}

/** The resource that a field or a parameter refers to. */
function targetOf(source: unknown, name: string): string | undefined {
  const targets = ['fields', 'parameters'].flatMap((part) => {
    const { to, of } = objectAt(source, [part, name]);
    return typeof to === 'string' ? [to] : typeof of === 'string' ? [of.split('.')[0]!] : [];
  });
  return targets[0];
}

function objectAt(source: unknown, steps: readonly string[]): Readonly<Record<string, unknown>> {
  const value = valueAtPath(source, steps);
  return isJsonObject(value) ? value : {};
}

const toItems = (names: readonly string[] = []): NamedItem[] => names.map((name) => ({ name }));

/** Variables that a condition can compare with. */
export const conditionVariables: readonly NamedItem[] = [
  { name: '$actor.id', description: 'The user who is signed in.' },
  { name: '$actor.level', description: "The level of the user's role, 1 to 6." },
  { name: '$actor.role', description: "The key of the user's role." },
  { name: '$actor.role_id', description: "The id of the user's role." },
  { name: '$actor.site_id', description: "The user's company." },
  { name: '$actor.lists', description: 'The modules that the role can list.' },
  { name: '$today', description: 'The current day.' },
  { name: '$now', description: 'The current time.' },
  {
    name: '$today+7d',
    description: 'So many days (d), weeks (w), months (m) or years (y) from today; `-` for the past.',
  },
  {
    name: '$now-3h',
    description: 'So many minutes (min), hours (h), days (d) or weeks (w) from now; `-` for the past.',
  },
];

/** The keys that an object at a place can have besides those in its schema: fields, and variables in conditions. */
export function keyNamesAt(source: unknown, steps: readonly string[], known: KnownNames): NamedItem[] {
  if (steps.length === 1 && steps[0] === 'fields')
    return fieldNames(source).filter(({ name }) =>
      ['created_by', 'updated_by', 'created_at', 'updated_at', 'site_id'].includes(name),
    );
  const places = placesAt(source, steps);
  if (isCondition(places)) return [...fieldsOfCondition(source, steps, known), ...conditionVariables];
  return keyReferencesOf(places).flatMap((reference) => {
    const fields = namesOf(reference, source, [...steps, ''], known);
    const parameters = reference.orParameter ? Object.keys(objectAt(source, ['parameters'])) : [];
    return [...fields, ...toItems(parameters.filter((name) => !fields.some((one) => one.name === name)))];
  });
}

/** The fields of the records that a condition is about. */
function fieldsOfCondition(source: unknown, steps: readonly string[], known: KnownNames): NamedItem[] {
  const related = steps.lastIndexOf('$some');
  if (related > 0) {
    const outer = steps.slice(0, related - 1);
    const target = ownsCondition(source, outer) ? targetOf(source, steps[related - 1]!) : undefined;
    return target === undefined ? [] : toItems(known.fieldsOf?.(target));
  }
  const length = steps.findIndex((_, index) => isCondition(placesAt(source, steps.slice(0, index + 1)))) + 1;
  const references = referencesOf(placesAt(source, steps.slice(0, length)));
  const reference = references.find(({ kind }) => kind === 'condition');
  return fieldNamesIn(reference?.in, source, steps.slice(0, length), known);
}

/** Whether a condition is about records of the definition itself. */
function ownsCondition(source: unknown, steps: readonly string[]): boolean {
  if (steps.includes('$some')) return false;
  return steps.every((_, index) =>
    referencesOf(placesAt(source, steps.slice(0, index + 1))).every(
      (one) => one.kind !== 'condition' || one.in === undefined,
    ),
  );
}

/** Whether there is a condition at a place, or a part of one that contains fields. */
export function isConditionAt(source: unknown, steps: readonly string[]): boolean {
  return isCondition(placesAt(source, steps));
}

const conditionFile = 'condition.schema.json';

function isCondition(places: readonly Place[]): boolean {
  return places.some(({ schema }) => schema === languageFiles[conditionFile]);
}
