import type { Source } from '../language/source';
import { isJsonObject, parsePointer, valueAtPath } from '../formats/json';
import type { Upgrade } from './module';

/** The decision for each conflict, by its path: the shipped version, or the local change. */
export type ConflictChoices = Readonly<Record<string, 'shipped' | 'changed'>>;

/**
 * The merged definition with every conflict resolved; without a decision the local change wins. With `shipped`, a
 * restored key gets the position that it has there.
 */
export function resolveConflicts(
  {
    merged: mergedSource,
    conflicts,
    shipped: shippedSource,
  }: Pick<Upgrade, 'merged' | 'conflicts'> & Partial<Pick<Upgrade, 'shipped'>>,
  choices: ConflictChoices,
): Source {
  const shippedChoices = conflicts.filter(({ path }) => Object.hasOwn(choices, path) && choices[path] === 'shipped');
  return shippedChoices.reduce<unknown>((source, conflict) => {
    const steps = parsePointer(conflict.path);
    return replaceAt(source, steps, conflict.shipped, valueAtPath(shippedSource, steps.slice(0, -1)));
  }, mergedSource) as Source;
}

/** Replaces the value at a path; undefined removes it. */
function replaceAt(root: unknown, [step, ...rest]: readonly string[], value: unknown, order: unknown): unknown {
  if (step === undefined) return value;
  if (Array.isArray(root)) {
    return root.map((member: unknown, index) =>
      String(index) === step ? replaceAt(member, rest, value, order) : member,
    );
  }
  const object = isJsonObject(root) ? root : {};
  const entries = Object.entries(object);
  if (!Object.hasOwn(object, step)) entries.splice(positionOf(step, entries, order), 0, [step, undefined]);
  const changedEntries = entries.map(
    ([key, member]) => [key, key === step ? replaceAt(member, rest, value, order) : member] as const,
  );
  return Object.fromEntries(changedEntries.filter(([, member]) => member !== undefined));
}

/** After the closest preceding key that both have. */
function positionOf(step: string, entries: readonly (readonly [string, unknown])[], order: unknown): number {
  const keys = isJsonObject(order) ? Object.keys(order) : [];
  for (let index = keys.indexOf(step) - 1; index >= 0; index -= 1) {
    const position = entries.findIndex(([key]) => key === keys[index]);
    if (position >= 0) return position + 1;
  }
  return keys.includes(step) ? 0 : entries.length;
}
