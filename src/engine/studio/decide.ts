import type { Source } from '../definitions/source';
import { isObject, stepsOf, valueAt } from './json';
import type { Upgrade } from './module';

/** For every conflict by its path: what is shipped now, or what was changed here. */
export type Choices = Readonly<Record<string, 'shipped' | 'changed'>>;

/**
 * The joined definition with every conflict decided; what is not chosen stays as it was changed here. With `shipped`, a
 * key that comes back takes the place that it has there.
 */
export function decide(
  { merged, conflicts, shipped }: Pick<Upgrade, 'merged' | 'conflicts'> & Partial<Pick<Upgrade, 'shipped'>>,
  choices: Choices,
): Source {
  const chosen = conflicts.filter(({ path }) => Object.hasOwn(choices, path) && choices[path] === 'shipped');
  return chosen.reduce<unknown>((source, conflict) => {
    const steps = stepsOf(conflict.path);
    return put(source, steps, conflict.shipped, valueAt(shipped, steps.slice(0, -1)));
  }, merged) as Source;
}

/** The same value with another one at the end of some steps; undefined takes away what stands there. */
function put(root: unknown, [step, ...rest]: readonly string[], value: unknown, order: unknown): unknown {
  if (step === undefined) return value;
  if (Array.isArray(root)) {
    return root.map((one: unknown, index) => (String(index) === step ? put(one, rest, value, order) : one));
  }
  const object = isObject(root) ? root : {};
  const entries = Object.entries(object);
  if (!Object.hasOwn(object, step)) entries.splice(placeOf(step, entries, order), 0, [step, undefined]);
  const changed = entries.map(([key, one]) => [key, key === step ? put(one, rest, value, order) : one] as const);
  return Object.fromEntries(changed.filter(([, one]) => one !== undefined));
}

/** Behind the closest key before it that both have. */
function placeOf(step: string, entries: readonly (readonly [string, unknown])[], order: unknown): number {
  const keys = isObject(order) ? Object.keys(order) : [];
  for (let index = keys.indexOf(step) - 1; index >= 0; index -= 1) {
    const place = entries.findIndex(([key]) => key === keys[index]);
    if (place >= 0) return place + 1;
  }
  return keys.includes(step) ? 0 : entries.length;
}
