import type { Source } from '../../../engine/language/source';
import { valueAtPath } from '../../../engine/formats/json';
import { setAtPath } from '../../../engine/studio/set-at-path';

/** A definition with another value at a path, which may lead through arrays; undefined removes the key or entry. */
export function withValueAt(source: Source, steps: readonly string[], value: unknown): Source {
  const depth = steps.findIndex((_, index) => Array.isArray(valueAtPath(source, steps.slice(0, index))));
  if (depth < 0) return setAtPath(source, steps, value);
  const list = put(valueAtPath(source, steps.slice(0, depth)), steps.slice(depth), value) as unknown[];
  return setAtPath(source, steps.slice(0, depth), list.length === 0 ? undefined : list);
}

function put(holder: unknown, [step, ...rest]: readonly string[], value: unknown): unknown {
  if (step === undefined) return value;
  if (Array.isArray(holder)) {
    const next = put(holder[Number(step)], rest, value);
    return next === undefined ? holder.toSpliced(Number(step), 1) : holder.with(Number(step), next);
  }
  const holderBefore = (typeof holder === 'object' && holder !== null ? holder : {}) as Record<string, unknown>;
  const next = put(holderBefore[step], rest, value);
  if (next !== undefined) return { ...holderBefore, [step]: next };
  const { [step]: _gone, ...left } = holderBefore;
  return left;
}
