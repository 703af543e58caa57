import { labelOf } from '../definitions/labels';
import type { Source } from '../language/source';
import { systemFields } from '../normalise/system-fields';
import { writtenTypeOf } from '../field-types';
import { languageFiles } from '../language/files';
import type { Reference } from '../language/key';
import { menuActions } from '../language/row-actions';
import { Scopes } from '../references/scopes';
import { keyReferencesOf, placesAt, referencesOf, type Place } from '../references/walk';
import { isJsonObject, valueAtPath } from '../formats/json';

/** Names outside of the definition: other definitions. */
export interface KnownNames {
  /** The names of all resources. */
  readonly resources?: readonly string[];
  /** The names of the fields of a resource. */
  readonly fieldsOf?: (resource: string) => readonly string[];
  /** The relations of a resource to one record each, as paths name them, with the resources that they lead to. */
  readonly relationsOf?: (resource: string) => readonly { readonly name: string; readonly to: string }[];
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
  const completeSource = { labels: {}, ...source } as unknown as Source;
  const allFields = { ...source.fields, ...systemFields(completeSource), ...source.fields } as Record<string, unknown>;
  return Object.entries(allFields).map(([name, field]) => ({
    name,
    description: isJsonObject(field) && typeof field.label === 'string' ? field.label : labelOf(name),
  }));
}

/** The names that are allowed as text at a place. */
export function namesAt(source: unknown, steps: readonly string[], knownNames: KnownNames): NamedItem[] {
  const reference = referencesOf(placesAt(source, steps)).at(-1);
  return reference ? namesOf(reference, source, steps, knownNames) : [];
}

function namesOf(reference: Reference, source: unknown, steps: readonly string[], knownNames: KnownNames): NamedItem[] {
  switch (reference.kind) {
    case 'field':
      return [
        ...fieldNamesIn(scopeAt(reference, source, steps), source, knownNames),
        ...toItems(reference.orTab ? entryNames(source, ['form', 'tabs']) : []),
      ];
    case 'path':
      return pathNames(scopeAt(reference, source, steps), source, steps, knownNames);
    case 'sort':
      return pathNames(scopeAt(reference, source, steps), source, steps, knownNames).flatMap((item) => [
        item,
        { ...item, name: `-${item.name}` },
      ]);
    case 'resource':
      return toItems(knownNames.resources);
    case 'relation':
      return toItems(knownNames.relationsTo?.(String(valueAtPath(source, ['name']))));
    case 'icon':
      return toItems(knownNames.icons);
    case 'request':
      return toItems(Object.keys(objectAt(source, ['requests'])));
    case 'action':
      return toItems([...new Set([...entryNames(source, ['list', 'actions']), ...menuActions])]);
    case 'tab':
      return toItems(entryNames(source, ['list', 'tabs']));
    default:
      return [];
  }
}

/** The names of the entries at a place, such as tabs. */
function entryNames(source: unknown, steps: readonly string[]): string[] {
  const entries = valueAtPath(source, steps);
  if (!Array.isArray(entries)) return [];
  return entries.flatMap((entry: unknown) =>
    typeof entry === 'string' ? entry : isJsonObject(entry) && typeof entry.name === 'string' ? entry.name : [],
  );
}

/** The scopes of a definition that may be incomplete. */
function scopesOf(source: unknown): Scopes {
  return new Scopes({ name: '', ...objectAt(source, []), fields: objectAt(source, ['fields']) } as unknown as Source);
}

function scopeAt(reference: Reference, source: unknown, steps: readonly string[]): string | undefined {
  const holders = steps.map((_, index) => valueAtPath(source, steps.slice(0, index)));
  return scopesOf(source).scopeOf(reference, steps, holders);
}

/** The fields of the definition, of its rows, or of another resource. */
function fieldNamesIn(scope: string | undefined, source: unknown, knownNames: KnownNames): NamedItem[] {
  if (scope === undefined) return [];
  const { name = '' } = objectAt(source, []);
  if (scope === name) return fieldNames(source);
  if (scope.startsWith(`${String(name)}.`)) return toItems(Object.keys(scopesOf(source).fieldsOf(scope)));
  return toItems(knownNames.fieldsOf?.(scope));
}

/**
 * The fields, and beyond them the paths of the relations that the text at a place already leads through: after `customer.` the
 * fields of customers, and so on.
 */
function pathNames(
  scope: string | undefined,
  source: unknown,
  steps: readonly string[],
  knownNames: KnownNames,
): NamedItem[] {
  const names = fieldNamesIn(scope, source, knownNames);
  const text = valueAtPath(source, steps);
  if (typeof text !== 'string') return names;
  const pathSteps = text.replace(/^-/, '').split('.').slice(0, -1);
  const { name: ownName = '' } = objectAt(source, []);
  const relationsOf = (resource: string | undefined) =>
    resource === ownName
      ? writtenRelations(source)
      : resource === undefined
        ? []
        : (knownNames.relationsOf?.(resource) ?? []);
  const paths = relationsOf(scope).map(({ name }) => ({ name: `${name}.` }));
  let resource = scope;
  for (const [index, step] of pathSteps.entries()) {
    resource = relationsOf(resource).find(({ name }) => name === step)?.to;
    if (resource === undefined) break;
    const prefix = `${pathSteps.slice(0, index + 1).join('.')}.`;
    const innerNames = fieldNamesIn(resource, source, knownNames).map((item) => ({
      ...item,
      name: `${prefix}${item.name}`,
    }));
    paths.push(...innerNames, ...relationsOf(resource).map(({ name }) => ({ name: `${prefix}${name}.` })));
  }
  return [...names, ...paths];
}

/** The relations of the definition to one record each, as paths name them. */
function writtenRelations(source: unknown): { readonly name: string; readonly to: string }[] {
  return Object.entries(objectAt(source, ['fields'])).flatMap(([name, field]) => {
    if (!isJsonObject(field) || typeof field.to !== 'string' || writtenTypeOf(field).holds !== 'record') return [];
    return [{ name: typeof field.embed === 'string' ? field.embed : name, to: field.to }];
  });
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
export function keyNamesAt(source: unknown, steps: readonly string[], knownNames: KnownNames): NamedItem[] {
  if (steps.length === 1 && steps[0] === 'fields')
    return fieldNames(source).filter(({ name }) =>
      ['created_by', 'updated_by', 'created_at', 'updated_at', 'site_id'].includes(name),
    );
  const schemaPlaces = placesAt(source, steps);
  if (isCondition(schemaPlaces)) return [...fieldsOfCondition(source, steps, knownNames), ...conditionVariables];
  return keyReferencesOf(schemaPlaces).flatMap((reference) => {
    const fields = namesOf(reference, source, [...steps, ''], knownNames);
    const parameters = reference.orParameter ? Object.keys(objectAt(source, ['parameters'])) : [];
    return [...fields, ...toItems(parameters.filter((name) => !fields.some((field) => field.name === name)))];
  });
}

/** The fields of the records that a condition is about, or of those that it leads to (`$some`). */
function fieldsOfCondition(source: unknown, steps: readonly string[], knownNames: KnownNames): NamedItem[] {
  const length = steps.findIndex((_, index) => isCondition(placesAt(source, steps.slice(0, index + 1)))) + 1;
  const reference = referencesOf(placesAt(source, steps.slice(0, length))).at(-1) ?? { kind: 'condition' };
  const outer = scopeAt(reference, source, steps.slice(0, length));
  const scope = steps
    .slice(length)
    .filter((_, index) => steps[length + index + 1] === '$some')
    .reduce((owner, name) => scopesOf(source).targetOf(owner, name), outer);
  return fieldNamesIn(scope, source, knownNames);
}

/** Whether there is a condition at a place, or a part of one that contains fields. */
export function isConditionAt(source: unknown, steps: readonly string[]): boolean {
  return isCondition(placesAt(source, steps));
}

const conditionFile = 'condition.schema.json';

function isCondition(schemaPlaces: readonly Place[]): boolean {
  return schemaPlaces.some(({ schema }) => schema === languageFiles[conditionFile]);
}
