import { isJsonObject, parsePointer, valueAtPath } from './json';
import {
  fieldNames,
  isConditionAt,
  keyNamesAt,
  namesAt,
  conditionVariables,
  type KnownNames,
  type NamedItem,
} from './schema-names';
import { applicablePlaces, placesAt, placesBelow, type Place } from '../language/walk';

export type { KnownNames } from './schema-names';

/** A key that is allowed in an object. */
export interface KeySuggestion {
  readonly name: string;
  readonly description?: string;
  /** The object has it already. */
  readonly used: boolean;
  readonly required: boolean;
  /** JSON of an initial value: `""`, `true`, `{}`, or the default. */
  readonly snippet: string;
}

/** A value that is allowed at a place. */
export interface ValueSuggestion {
  /** As JSON. */
  readonly text: string;
  readonly description?: string;
}

/** What is allowed at a place of a definition. */
export interface Suggestions {
  /** The description of the place. */
  readonly description?: string;
  /** Its default as JSON, if the schemas have one. */
  readonly defaultValue?: string;
  /** The keys of an object here. */
  readonly keys: readonly KeySuggestion[];
  /** The values here: some suggestions, or all if only some are allowed. */
  readonly values: readonly ValueSuggestion[];
}

/**
 * The keys and values that a place of a definition (a JSON pointer) allows, according to the language and the definition: the
 * parsable part of the definition, and the names of other definitions.
 *
 * @example suggestionsAt(source, '/fields/due').keys.map(({ name }) => name); // ['type', 'label', …]
 */
export function suggestionsAt(source: unknown, pointer: string, known: KnownNames = {}): Suggestions {
  const steps = parsePointer(pointer);
  const places = placesAt(source, steps);
  const usual = places.find(({ schema }) => schema.default !== undefined)?.schema.default;
  return {
    description: places.find(({ schema }) => schema.description !== undefined)?.schema.description,
    ...(usual !== undefined && { defaultValue: JSON.stringify(usual) }),
    keys: suggestKeys(places, source, steps, known),
    values: suggestValues(places, source, steps, known),
  };
}

/**
 * The description of a place of a definition, from the schemas.
 *
 * @example descriptionAt(source, '/fields/due/type');
 */
export function descriptionAt(source: unknown, pointer: string): string | undefined {
  return placesAt(source, parsePointer(pointer)).find(({ schema }) => schema.description !== undefined)?.schema
    .description;
}

function suggestKeys(
  places: readonly Place[],
  source: unknown,
  steps: readonly string[],
  known: KnownNames,
): KeySuggestion[] {
  const value = valueAtPath(source, steps);
  const has = (name: string) => isJsonObject(value) && Object.hasOwn(value, name);
  const required = new Set(places.flatMap(({ schema }) => schema.required ?? []));
  const found = new Map<string, KeySuggestion>();
  for (const { file, schema } of places) {
    for (const [name, one] of Object.entries(schema.properties ?? {})) {
      if (found.has(name)) continue;
      const all = applicablePlaces({ file, schema: one }, undefined);
      const description = all.find((each) => each.schema.description !== undefined)?.schema.description;
      found.set(name, { name, description, used: has(name), required: required.has(name), snippet: snippet(all) });
    }
  }
  for (const { name, description } of keyNamesAt(source, steps, known)) {
    if (found.has(name)) continue;
    const inside = placesBelow(places, name, undefined);
    if (inside.length === 0 && !isOpen(places)) continue;
    found.set(name, {
      name,
      description,
      used: has(name),
      required: false,
      snippet: isConditionAt(source, steps) ? '""' : snippet(inside),
    });
  }
  return [...found.values()];
}

function isOpen(places: readonly Place[]): boolean {
  return places.some(({ schema }) => schema.type === 'object' && schema.additionalProperties === undefined);
}

/** An initial value, as JSON. */
function snippet(places: readonly Place[]): string {
  const schemas = places.map(({ schema }) => schema);
  const usual = schemas.find((schema) => schema.default !== undefined)?.default;
  if (typeof usual === 'boolean') return String(!usual);
  if (usual !== undefined && usual !== null) return JSON.stringify(usual);
  const fixed = schemas.find((schema) => schema.enum)?.enum?.find((one) => one !== null);
  if (fixed !== undefined) return JSON.stringify(fixed);
  const type = [schemas.find((schema) => schema.type !== undefined)?.type ?? 'string'].flat()[0]!;
  return { object: '{}', array: '[]', boolean: 'true', integer: '1', number: '1' }[type] ?? '""';
}

function suggestValues(
  places: readonly Place[],
  source: unknown,
  steps: readonly string[],
  known: KnownNames,
): ValueSuggestion[] {
  const fixed = places.flatMap(({ schema }) => schema.enum ?? ('const' in schema ? [schema.const] : []));
  const types = new Set(places.flatMap(({ schema }) => schema.type ?? []));
  const truths = fixed.length === 0 || types.size > 1 ? (types.has('boolean') ? [true, false] : []) : [];
  const names = [...namesAt(source, steps, known), ...suggestOperands(source, steps)];
  const texts = new Map<string, ValueSuggestion>();
  for (const one of [...fixed, ...truths]) texts.set(JSON.stringify(one), { text: JSON.stringify(one) });
  for (const { name, description } of names)
    texts.set(JSON.stringify(name), { text: JSON.stringify(name), ...(description !== undefined && { description }) });
  return [...texts.values()];
}

/** What a condition can compare with: variables, and the values of the field on the left. */
function suggestOperands(source: unknown, steps: readonly string[]): NamedItem[] {
  const left = steps.findLastIndex(
    (step, index) => index > 0 && !/^(\d+|\$\w+)$/.test(step) && isConditionAt(source, steps.slice(0, index)),
  );
  if (left < 0 || steps.slice(left + 1).some((step) => step === '$exists' || step === '$some')) return [];
  const form = fieldNames(source).map(({ name, description }) => ({ name: `$form.${name}`, description }));
  const options = valueAtPath(source, ['fields', steps[left]!, 'options']);
  const own = Array.isArray(options)
    ? options.filter(isJsonObject).filter(({ value }) => typeof value === 'string')
    : [];
  return [
    ...own.map(({ value, label }) => ({ name: String(value), description: String(label) })),
    ...conditionVariables,
    ...form,
  ];
}
