import type { Source } from '../../../src/engine/definitions/source';

/**
 * A definition with another value at some steps; undefined takes the key or entry away. Objects on the way are made
 * where they are missing, and taken away again where nothing is left in them.
 */
export function withAt(source: Source, steps: readonly string[], value: unknown): Source {
  return put(source, steps, value) as Source;
}

function put(holder: unknown, [step, ...rest]: readonly string[], value: unknown): unknown {
  if (step === undefined) return value;
  if (Array.isArray(holder)) {
    const index = Number(step);
    const next = put(holder[index], rest, value);
    return next === undefined ? holder.filter((_, at) => at !== index) : holder.with(index, next);
  }
  const old = (typeof holder === 'object' && holder !== null ? holder : {}) as Record<string, unknown>;
  const next = put(old[step], rest, value);
  if (next !== undefined) return { ...old, [step]: next };
  const { [step]: _gone, ...left } = old;
  return Object.keys(left).length === 0 && rest.length > 0 ? undefined : left;
}
