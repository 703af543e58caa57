import type { Source } from '../definitions/source';
import { isJsonObject, isSameJson, valueAtPath, type JsonObject } from './json';

/** The order of keys in a definition. */
const keyOrder = [
  '$schema',
  'name',
  'was',
  'labels',
  'description',
  'titles',
  'scope',
  'envelope',
  'menu',
  'chip',
  'recordTitle',
  'fields',
  'parameters',
  'list',
  'form',
  'requests',
  'copy',
  'choices',
  'import',
  'export',
  'toasts',
  'delete',
  'archive',
  'rules',
  'validate',
  'unique',
  'when',
  'grants',
  'hooks',
  'rows',
  'indexes',
  'history',
  'system',
];

/**
 * Sets the value at a path; undefined removes the key and every object that becomes empty. Keys keep their order, a new
 * top-level key gets its usual position, and an equal value changes nothing.
 *
 * @example setAtPath(source, ['fields', 'due_date', 'label'], 'Due').fields.due_date?.label; // 'Due'
 */
export function setAtPath(source: Source, steps: readonly string[], value: unknown): Source {
  if (value === undefined && valueAtPath(source, steps) === undefined) return source;
  return setInObject(source as unknown as JsonObject, steps, value, true) as unknown as Source;
}

function setInObject(
  holder: JsonObject,
  [step, ...rest]: readonly string[],
  value: unknown,
  top: boolean,
): JsonObject | undefined {
  if (step === undefined) return holder;
  const old = Object.hasOwn(holder, step) ? holder[step] : undefined;
  const next = rest.length === 0 ? value : setInObject(isJsonObject(old) ? old : {}, rest, value, false);
  if (next === old || (old !== undefined && next !== undefined && JSON.stringify(next) === JSON.stringify(old)))
    return holder;
  if (next === undefined) {
    const { [step]: _gone, ...left } = holder;
    return Object.keys(left).length === 0 && !top ? undefined : left;
  }
  if (old !== undefined || !top) return { ...holder, [step]: next };
  const entries = Object.entries(holder);
  const before = new Set(keyOrder.slice(0, keyOrder.indexOf(step)));
  const place = entries.findLastIndex(([key]) => before.has(key)) + 1;
  return Object.fromEntries(entries.toSpliced(place, 0, [step, next]));
}

/**
 * Updates some keys of an object: unchanged values stay as written, defaults are left out, and new keys are appended in
 * the given order.
 */
export function updateObject(
  old: JsonObject | undefined,
  wanted: JsonObject,
  usual: JsonObject = {},
): Record<string, unknown> {
  const result: Record<string, unknown> = { ...old };
  for (const [key, value] of Object.entries(wanted)) {
    const was = result[key] ?? usual[key];
    if (isSameJson(was, value)) continue;
    if (value === undefined || isSameJson(value, usual[key])) delete result[key];
    else result[key] = value;
  }
  return result;
}
