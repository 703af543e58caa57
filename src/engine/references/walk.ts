import { isJsonObject } from '../formats/json';
import { fieldTypes } from '../field-types';
import { describeField } from '../language/field';
import { allTypeKeys } from '../language/field-types';
import { languageFiles } from '../language/files';
import type { KeySchema, Reference } from '../language/key';
import { propertyOf } from '../values/lookups';

/** A description that applies to a value, and the file that its references to others are relative to. */
export interface Place {
  readonly file: string;
  readonly schema: KeySchema;
}

/** The file of a whole definition. */
const rootFile = 'resource.schema.json';
const fieldFile = 'field.schema.json';

/**
 * The descriptions of a place of a definition, the most particular first; none for a place that the language does not
 * know. A value that another one could replace does not matter: only the values that the path goes through do.
 *
 * @example placesAt(source, ['fields', 'due', 'required'])[0]!.schema.description;
 */
export function placesAt(source: unknown, steps: readonly string[]): Place[] {
  let value = source;
  let schemaPlaces = rootPlaces(source);
  steps.forEach((step, index) => {
    value = valueBelow(value, step);
    const isFixed = index < steps.length - 1 || typeof value === 'object';
    schemaPlaces = placesBelow(schemaPlaces, step, isFixed ? value : undefined);
  });
  return schemaPlaces;
}

/** The descriptions of a whole definition. */
export function rootPlaces(source: unknown): Place[] {
  return applicablePlaces({ file: rootFile, schema: propertyOf(languageFiles, rootFile) }, source);
}

/** The descriptions of the value one step further down. */
export function placesBelow(parentPlaces: readonly Place[], step: string, value: unknown): Place[] {
  const placesBelowStep: Place[] = [];
  for (const { file, schema } of parentPlaces) {
    const { properties, patternProperties, additionalProperties, items } = schema;
    let isNamed = false;
    if (properties && Object.hasOwn(properties, step)) {
      isNamed = true;
      addApplicable(placesBelowStep, file, propertyOf(properties, step), value);
    }
    for (const pattern in patternProperties) {
      if (!regExpOf(pattern).test(step)) continue;
      isNamed = true;
      addApplicable(placesBelowStep, file, propertyOf(patternProperties, pattern), value);
    }
    if (!isNamed && typeof additionalProperties === 'object')
      addApplicable(placesBelowStep, file, additionalProperties, value);
    if (items && /^(\d+|-)$/.test(step)) addApplicable(placesBelowStep, file, items, value);
  }
  return placesBelowStep;
}

/**
 * Every description that applies to a value: the given one, then those it refers to, combines, or requires under a
 * condition that the value meets. Without a value, every condition counts as met.
 */
export function applicablePlaces({ file, schema }: Place, value: unknown): Place[] {
  const schemaPlaces: Place[] = [];
  addApplicable(schemaPlaces, file, schema, value);
  return schemaPlaces;
}

function addApplicable(schemaPlaces: Place[], file: string, schema: KeySchema, value: unknown): void {
  schemaPlaces.push({ file, schema });
  if (schema.$ref !== undefined) {
    const target = resolveReference(file, schema.$ref);
    addApplicable(schemaPlaces, target.file, target.schema, value);
  }
  if (schema.allOf) for (const part of schema.allOf) addApplicable(schemaPlaces, file, part, value);
  if (schema.if && schema.then && (value === undefined || meetsSchema(value, schema.if)))
    addApplicable(schemaPlaces, file, schema.then, value);
}

const regExps = new Map<string, RegExp>();

/** Patterns are few, and compiled once. */
function regExpOf(pattern: string): RegExp {
  let regExp = regExps.get(pattern);
  if (!regExp) regExps.set(pattern, (regExp = new RegExp(pattern, 'u')));
  return regExp;
}

/** The schemas of these places, in their order. */
export function schemasAt(schemaPlaces: readonly Place[]): KeySchema[] {
  return schemaPlaces.map(({ schema }) => schema);
}

/** The references of the value at these places; the last one is the most particular. */
export function referencesOf(schemaPlaces: readonly Place[]): Reference[] {
  return schemaPlaces.flatMap(({ schema }) => schema.reference ?? []);
}

/** The references of the keys of the object at these places. */
export function keyReferencesOf(schemaPlaces: readonly Place[]): Reference[] {
  return schemaPlaces.flatMap(({ schema }) => schema.propertyNames?.reference ?? []);
}

function resolveReference(file: string, reference: string): Place {
  const [name, pointer = ''] = reference.split('#') as [string, string?];
  const target = name === '' ? file : name;
  const steps = pointer.split('/').slice(1);
  const targetFile = target === fieldFile ? describeAnyField() : languageFiles[target];
  const schema = steps.reduce<unknown>(valueBelow, targetFile);
  return { file: target, schema: (schema ?? {}) as KeySchema };
}

let describedTypes: { readonly names: string; readonly field: KeySchema } | undefined;

/** A field of any type that is registered, those of a product too. */
function describeAnyField(): KeySchema {
  const names = Object.keys(fieldTypes).join();
  if (describedTypes?.names !== names) describedTypes = { names, field: describeField(allTypeKeys()) };
  return describedTypes.field;
}

function valueBelow(value: unknown, step: string): unknown {
  return (isJsonObject(value) || Array.isArray(value)) && Object.hasOwn(value, step)
    ? (value as Record<string, unknown>)[step]
    : undefined;
}

/** Whether a value meets the few keywords that conditions of the language use. */
function meetsSchema(value: unknown, schema: KeySchema): boolean {
  if (schema.type !== undefined && ![schema.type].flat().includes(typeOf(value))) return false;
  if ('const' in schema && schema.const !== value) return false;
  if (schema.enum && !schema.enum.includes(value)) return false;
  if (schema.not && meetsSchema(value, schema.not)) return false;
  if (!isJsonObject(value)) return true;
  if (schema.required?.some((key) => !Object.hasOwn(value, key))) return false;
  if (Object.keys(value).length < (schema.minProperties ?? 0)) return false;
  const pattern = schema.propertyNames?.pattern;
  if (pattern !== undefined && !Object.keys(value).every((key) => regExpOf(pattern).test(key))) return false;
  return Object.entries(schema.properties ?? {}).every(
    ([key, propertySchema]) => !Object.hasOwn(value, key) || meetsSchema(value[key], propertySchema),
  );
}

function typeOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}
