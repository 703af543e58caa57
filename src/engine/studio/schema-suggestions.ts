import { isJsonObject, parsePointer, valueAtPath } from '../formats/json';
import {
  fieldNames,
  isConditionAt,
  keyNamesAt,
  namesAt,
  conditionVariables,
  type KnownNames,
  type NamedItem,
} from './schema-names';
import { applicablePlaces, placesAt, placesBelow, type Place } from '../references/walk';
import { firstOf, itemAt } from '../values/lookups';

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

/** The keys and values that a place of a definition allows. */
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
export function suggestionsAt(source: unknown, pointer: string, knownNames: KnownNames = {}): Suggestions {
  const steps = parsePointer(pointer);
  const schemaPlaces = placesAt(source, steps);
  const defaultValue = schemaPlaces.find(({ schema }) => schema.default !== undefined)?.schema.default;
  return {
    description: schemaPlaces.find(({ schema }) => schema.description !== undefined)?.schema.description,
    ...(defaultValue !== undefined && { defaultValue: JSON.stringify(defaultValue) }),
    keys: suggestKeys(schemaPlaces, source, steps, knownNames),
    values: suggestValues(schemaPlaces, source, steps, knownNames),
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
  schemaPlaces: readonly Place[],
  source: unknown,
  steps: readonly string[],
  knownNames: KnownNames,
): KeySuggestion[] {
  const value = valueAtPath(source, steps);
  const isUsed = (name: string) => isJsonObject(value) && Object.hasOwn(value, name);
  const requiredNames = new Set(schemaPlaces.flatMap(({ schema }) => schema.required ?? []));
  const suggestions = new Map<string, KeySuggestion>();
  for (const { file, schema } of schemaPlaces) {
    for (const [name, propertySchema] of Object.entries(schema.properties ?? {})) {
      if (suggestions.has(name)) continue;
      const allPlaces = applicablePlaces({ file, schema: propertySchema }, undefined);
      const description = allPlaces.find((schemaPlace) => schemaPlace.schema.description !== undefined)?.schema
        .description;
      suggestions.set(name, {
        name,
        description,
        used: isUsed(name),
        required: requiredNames.has(name),
        snippet: snippet(allPlaces),
      });
    }
  }
  for (const { name, description } of keyNamesAt(source, steps, knownNames)) {
    if (suggestions.has(name)) continue;
    const innerPlaces = placesBelow(schemaPlaces, name, undefined);
    if (innerPlaces.length === 0 && !isOpen(schemaPlaces)) continue;
    suggestions.set(name, {
      name,
      description,
      used: isUsed(name),
      required: false,
      snippet: isConditionAt(source, steps) ? '""' : snippet(innerPlaces),
    });
  }
  return [...suggestions.values()];
}

function isOpen(schemaPlaces: readonly Place[]): boolean {
  return schemaPlaces.some(({ schema }) => schema.type === 'object' && schema.additionalProperties === undefined);
}

/** An initial value, as JSON. */
function snippet(schemaPlaces: readonly Place[]): string {
  const schemas = schemaPlaces.map(({ schema }) => schema);
  const defaultValue = schemas.find((schema) => schema.default !== undefined)?.default;
  if (typeof defaultValue === 'boolean') return String(!defaultValue);
  if (defaultValue !== undefined && defaultValue !== null) return JSON.stringify(defaultValue);
  const fixedValue = schemas.find((schema) => schema.enum)?.enum?.find((member) => member !== null);
  if (fixedValue !== undefined) return JSON.stringify(fixedValue);
  const type = firstOf([schemas.find((schema) => schema.type !== undefined)?.type ?? 'string'].flat());
  return { object: '{}', array: '[]', boolean: 'true', integer: '1', number: '1' }[type] ?? '""';
}

function suggestValues(
  schemaPlaces: readonly Place[],
  source: unknown,
  steps: readonly string[],
  knownNames: KnownNames,
): ValueSuggestion[] {
  const schemas = schemaPlaces.flatMap(({ schema }) => [schema, ...(schema.anyOf ?? [])]);
  const fixedValues = schemas.flatMap((schema) => schema.enum ?? ('const' in schema ? [schema.const] : []));
  const types = new Set(schemaPlaces.flatMap(({ schema }) => schema.type ?? []));
  const truths = fixedValues.length === 0 || types.size > 1 ? (types.has('boolean') ? [true, false] : []) : [];
  const names = [...namesAt(source, steps, knownNames), ...suggestOperands(source, steps)];
  const texts = new Map<string, ValueSuggestion>();
  for (const literal of [...fixedValues, ...truths])
    texts.set(JSON.stringify(literal), { text: JSON.stringify(literal) });
  for (const { name, description } of names)
    texts.set(JSON.stringify(name), { text: JSON.stringify(name), ...(description !== undefined && { description }) });
  return [...texts.values()];
}

/** The operands that a condition can compare with: variables, and the values of the field on the left. */
function suggestOperands(source: unknown, steps: readonly string[]): NamedItem[] {
  const left = steps.findLastIndex(
    (step, index) => index > 0 && !/^(\d+|\$\w+)$/.test(step) && isConditionAt(source, steps.slice(0, index)),
  );
  if (left < 0 || steps.slice(left + 1).some((step) => step === '$exists' || step === '$some')) return [];
  const form = fieldNames(source).map(({ name, description }) => ({ name: `$form.${name}`, description }));
  const options = valueAtPath(source, ['fields', itemAt(steps, left), 'options']);
  const ownOptions = Array.isArray(options)
    ? options.filter(isJsonObject).filter(({ value }) => typeof value === 'string')
    : [];
  return [
    ...ownOptions.map(({ value, label }) => ({ name: String(value), description: String(label) })),
    ...conditionVariables,
    ...form,
  ];
}
