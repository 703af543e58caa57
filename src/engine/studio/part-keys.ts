import { applicablePlaces, placesAt, type Place } from '../references/walk';
import type { KeySchema, PanelWords, PartKinds, Reference } from '../language/key';
import type { Source } from '../language/source';
import { requireValue } from '../values/lookups';

/** The kind of input that a key has. */
export type KeyKind =
  | 'text'
  | 'number'
  /** Text, or a number. */
  | 'plain'
  | 'flag'
  /** One of some values, or names. */
  | 'choice'
  /** Several of them. */
  | 'choices'
  /** One of them or several: one alone is written without a list. */
  | 'oneOrMany'
  | 'condition'
  /** Query names of a list, and their values. */
  | 'query'
  | 'part'
  /** Several parts in their order. */
  | 'parts'
  /** Several lists of names. */
  | 'lists'
  /** Values of one kind by names. */
  | 'record'
  /** It has an input of its own, or none. */
  | 'other';

/** A key of the language as its input needs it: all that its descriptions say, the most particular first. */
export interface KeyDescription {
  readonly kind: KeyKind;
  readonly words: PanelWords;
  readonly help: string | undefined;
  /** The value that holds without it, in a few words. */
  readonly fallback: string | undefined;
  readonly usual: unknown;
  /** The kind of thing that its names, or those of its entries, refer to. */
  readonly reference: Reference | undefined;
  /** The values that it, or an entry of it, takes, if only some are allowed. */
  readonly values: readonly unknown[] | undefined;
  /** `false` stands for the part: there is none. */
  readonly allowsFalse: boolean;
  /** `true` stands for the part with every default. */
  readonly allowsTrue: boolean;
  /** The keys of a part, or of the parts of a list. */
  readonly keys: readonly PartKey[];
  /** The values of a record, or the entries of a list. */
  readonly entry: KeyDescription | undefined;
  /** The names of a record: their pattern, and what they refer to. */
  readonly names: { readonly pattern: string | undefined; readonly reference: Reference | undefined };
}

/** A key of a part. */
export interface PartKey {
  readonly name: string;
  readonly isRequired: boolean;
  readonly description: KeyDescription;
}

const descriptions = new WeakMap<KeySchema, KeyDescription>();

/**
 * The keys that a place of a definition can have, in their order.
 *
 * @example partKeysAt(source, ['list', 'calendar']).map(({ name }) => name); // ['label', 'start', …]
 */
export function partKeysAt(source: Source, steps: readonly string[]): readonly PartKey[] {
  return partAt(source, steps).keys;
}

/**
 * The keys that a place of a definition can have, and the kinds that it can be of, where there are several.
 *
 * @example partAt(source, ['automations', '0', 'steps', '0']).kinds?.label; // 'Does'
 */
export function partAt(source: Source, steps: readonly string[]): { keys: readonly PartKey[]; kinds?: PartKinds } {
  const schemaPlaces = placesAt(source, steps);
  const kinds = schemaPlaces.find(({ schema }) => schema.panel?.kinds)?.schema.panel?.kinds;
  return { keys: keysOfPlaces(schemaPlaces), ...(kinds && { kinds }) };
}

/**
 * The same description with other words.
 *
 * @example withWords(description, { label: 'Path to the field' }).kind; // as before
 */
export function withWords(description: KeyDescription, words: PanelWords): KeyDescription {
  return Object.create(description, { words: { value: { ...description.words, ...words } } }) as KeyDescription;
}

/** The description of a key. It is the same object each time. */
function describeKey(schemaPlace: Place): KeyDescription {
  const storedDescription = descriptions.get(schemaPlace.schema);
  if (storedDescription) return storedDescription;
  const description = describePlaces(applicablePlaces(schemaPlace, undefined));
  descriptions.set(schemaPlace.schema, description);
  return description;
}

function describePlaces(schemaPlaces: readonly Place[]): KeyDescription {
  const schemas = schemaPlaces.map(({ schema }) => schema);
  const firstOf = <Name extends keyof KeySchema>(name: Name): KeySchema[Name] =>
    schemas.find((schema) => schema[name] !== undefined)?.[name];
  const types = new Set(schemas.flatMap(({ type }) => type ?? []));
  const [items] = schemaPlaces.flatMap(({ file, schema }) => (schema.items ? [{ file, schema: schema.items }] : []));
  const values = schemaPlaces.find(({ schema }) => typeof schema.additionalProperties === 'object');
  const nested = items
    ? describeKey(items)
    : values && describeKey({ file: values.file, schema: values.schema.additionalProperties as KeySchema });
  const reference = firstOf('reference') ?? (items ? nested?.reference : undefined);
  const names = firstOf('propertyNames');
  const words = Object.assign({}, ...schemas.map(({ panel }) => panel).toReversed()) as PanelWords;
  const help = firstOf('description');
  const commonParts = {
    words,
    help,
    fallback: words.fallback ?? describeDefault(firstOf('default'), words) ?? defaultInHelp(help),
    usual: firstOf('default'),
    reference,
    values: firstOf('enum') ?? (items ? nested?.values : undefined),
    allowsFalse: types.has('boolean') && types.has('object'),
    allowsTrue: types.has('boolean') && !schemas.some((schema) => schema.const === false),
    entry: nested,
    // A new name refers to nothing that there is.
    names: {
      pattern: names?.pattern,
      reference: names?.reference?.kind === 'newField' ? undefined : names?.reference,
    },
  };
  const isPart = schemas.some(({ properties }) => properties);
  const isCondition = reference?.kind === 'condition' || schemas.some(({ title }) => title === 'Condition');
  const kind = isCondition ? 'condition' : kindOf(types, isPart, commonParts, nested);
  // The keys of a field lead to fields again: they are described when they are asked for.
  let keys: readonly PartKey[] | undefined;
  return {
    ...commonParts,
    kind,
    get keys() {
      return (keys ??=
        kind === 'part'
          ? keysOfPlaces(schemaPlaces)
          : kind === 'parts'
            ? requireValue(nested, 'the description of the parts').keys
            : []);
    },
  };
}

/** A default in the words of its labels. */
function describeDefault(value: unknown, { labels = {} }: PanelWords): string | undefined {
  if (Array.isArray(value))
    return value.length === 0 ? 'None' : value.map((member) => labels[String(member)] ?? String(member)).join(', ');
  return typeof value === 'string' || typeof value === 'number' ? (labels[value] ?? String(value)) : undefined;
}

/** The words of a text about a key that say its default: `Default: that of the list.` */
function defaultInHelp(help = ''): string | undefined {
  const words = / Default: ([^.:;,]{1,80})[.:;,]/.exec(help)?.[1]?.replaceAll(/[`"]/g, '');
  return words && words.charAt(0).toUpperCase() + words.slice(1);
}

function kindOf(
  types: ReadonlySet<string>,
  isPart: boolean,
  { values, names, reference, words }: Pick<KeyDescription, 'values' | 'names' | 'reference' | 'words'>,
  entry: KeyDescription | undefined,
): KeyKind {
  if (words.input === 'text') return 'text';
  if (words.short) return 'part';
  if (types.has('array')) {
    if (entry?.kind === 'part') return 'parts';
    if (entry?.kind === 'choices') return 'lists';
    if (entry?.kind === 'choice' || entry?.kind === 'text') return types.has('string') ? 'oneOrMany' : 'choices';
    return 'other';
  }
  if (isPart) return 'part';
  if (types.has('object')) {
    // Values of any kind, by names of fields.
    if (!entry || entry.reference?.kind === 'value')
      return names.reference || words.label !== undefined ? 'query' : 'other';
    return 'record';
  }
  if (types.has('boolean')) return types.size > 1 ? 'other' : 'flag';
  const isName = reference && reference.kind !== 'template' && reference.kind !== 'sort';
  if (values || words.options || isName) return 'choice';
  const isNumber = types.has('number') || types.has('integer');
  if (types.has('string')) return isNumber ? 'plain' : 'text';
  return isNumber ? 'number' : 'other';
}

function keysOfPlaces(schemaPlaces: readonly Place[]): PartKey[] {
  const requiredNames = new Set(schemaPlaces.flatMap(({ schema }) => schema.required ?? []));
  const keys = new Map<string, PartKey>();
  for (const { file, schema } of schemaPlaces)
    for (const [name, key] of Object.entries(schema.properties ?? {}))
      if (!keys.has(name))
        keys.set(name, { name, isRequired: requiredNames.has(name), description: describeKey({ file, schema: key }) });
  return [...keys.values()];
}
