import { isJsonObject } from '../formats/json';
import type { Reference } from '../language/key';
import { keyReferencesOf, placesBelow, referencesOf, rootPlaces, type Place } from './walk';

/** A text of a definition that names something, or the key of an entry that is called like something. */
export interface NameInSource {
  readonly name: string;
  readonly reference: Reference;
  readonly steps: readonly string[];
  /** The objects and lists around it, the whole definition first. */
  readonly holders: readonly unknown[];
}

/** The names of definitions that were looked at: those that did not change are checked again with each that did. */
const namesBySource = new WeakMap<object, readonly NameInSource[]>();

/**
 * The names in a definition, wherever the language knows that one stands, with what they refer to. A condition or an
 * expression, which has many, is none.
 *
 * @example namesIn(source).filter(({ reference }) => reference.kind === 'icon');
 */
export function namesIn(source: object): readonly NameInSource[] {
  const storedNames = namesBySource.get(source);
  if (storedNames) return storedNames;
  const walk: Walk = { names: [], steps: [], holders: [] };
  addNames(walk, source, rootPlaces(source));
  namesBySource.set(source, walk.names);
  return walk.names;
}

interface Walk {
  readonly names: NameInSource[];
  readonly steps: string[];
  readonly holders: unknown[];
}

function addNames(walk: Walk, value: unknown, schemaPlaces: readonly Place[]): void {
  const reference = referencesOf(schemaPlaces).at(-1);
  if (typeof value === 'string') return addName(walk, value, reference);
  if (typeof value !== 'object' || value === null) return;
  if (reference?.kind === 'condition' || reference?.kind === 'expression') return;
  const keyReference = isJsonObject(value) ? keyReferencesOf(schemaPlaces).at(-1) : undefined;
  walk.holders.push(value);
  for (const [key, entry] of Object.entries(value)) {
    walk.steps.push(key);
    if (keyReference && !schemaPlaces.some(({ schema }) => schema.properties && Object.hasOwn(schema.properties, key)))
      addName(walk, key, keyReference);
    if (typeof entry === 'string' || typeof entry === 'object')
      addNames(walk, entry, placesBelow(schemaPlaces, key, entry));
    walk.steps.pop();
  }
  walk.holders.pop();
}

function addName({ names, steps, holders }: Walk, name: string, reference: Reference | undefined): void {
  if (reference) names.push({ name, reference, steps: [...steps], holders: [...holders] });
}
