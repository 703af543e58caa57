import type { Source } from '../language/source';
import { systemFields } from '../normalise/system-fields';
import { isJsonObject, isSameJson, valueAtPath, type JsonObject } from '../formats/json';

/** The order of keys in a definition. */
const keyOrder = [
  '$schema',
  'name',
  'formerName',
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
  'exports',
  'print',
  'public',
  'toasts',
  'delete',
  'archive',
  'rules',
  'validate',
  'unique',
  'noOverlap',
  'automations',
  'grants',
  'hooks',
  'rows',
  'indexes',
  'history',
  'comments',
  'timer',
  'page',
  'system',
];

/** The parts that `{}` switches on with their defaults. */
const switches = new Set(['import', 'copy', 'archive', 'comments', 'page']);

/** Whether an object at a path is an entry of its own, which says something even if it has no keys: a field, a filter. */
function isEntry(source: Source, steps: readonly string[]): boolean {
  const [part = '', name = ''] = steps;
  if (steps.length === 1) return switches.has(part);
  if (steps.length === 2)
    return part === 'parameters' || (part === 'fields' && !Object.hasOwn(systemFields(source), name));
  return steps.length === 3 && part === 'list' && name === 'filters';
}

/**
 * Sets the value at a path; undefined removes the key and every object that becomes empty, but for fields, filters,
 * parameters, and what an empty object switches on, such as the import. Keys keep their order, a new top-level key gets its usual position, and an equal value changes nothing.
 *
 * @example setAtPath(source, ['fields', 'due_date', 'label'], 'Due').fields.due_date?.label; // 'Due'
 */
export function setAtPath(source: Source, steps: readonly string[], value: unknown): Source {
  if (value === undefined && valueAtPath(source, steps) === undefined) return source;
  const keptDepth = [1, 2, 3].find((length) => length < steps.length && isEntry(source, steps.slice(0, length)));
  return setInObject(source as unknown as JsonObject, steps, value, [0, keptDepth]) as unknown as Source;
}

/** `depth` is that of the holder, and of the object that stays even if it becomes empty. */
function setInObject(
  holder: JsonObject,
  [step, ...rest]: readonly string[],
  value: unknown,
  [depth, keptDepth]: readonly [number, number | undefined],
): JsonObject | undefined {
  if (step === undefined) return holder;
  const top = depth === 0;
  const oldValue = Object.hasOwn(holder, step) ? holder[step] : undefined;
  const next =
    rest.length === 0
      ? value
      : setInObject(isJsonObject(oldValue) ? oldValue : {}, rest, value, [depth + 1, keptDepth]);
  if (
    next === oldValue ||
    (oldValue !== undefined && next !== undefined && JSON.stringify(next) === JSON.stringify(oldValue))
  )
    return holder;
  if (next === undefined) {
    const { [step]: _gone, ...left } = holder;
    return Object.keys(left).length === 0 && !top && depth !== keptDepth ? undefined : left;
  }
  if (oldValue !== undefined || !top) return { ...holder, [step]: next };
  const entries = Object.entries(holder);
  const precedingKeys = new Set(keyOrder.slice(0, keyOrder.indexOf(step)));
  const index = entries.findLastIndex(([key]) => precedingKeys.has(key)) + 1;
  return Object.fromEntries(entries.toSpliced(index, 0, [step, next]));
}

/**
 * Updates some keys of an object: unchanged values stay as written, defaults are left out, and new keys are appended in
 * the given order.
 */
export function updateObject(
  oldObject: JsonObject | undefined,
  values: JsonObject,
  defaults: JsonObject = {},
): Record<string, unknown> {
  const result: Record<string, unknown> = { ...oldObject };
  for (const [key, value] of Object.entries(values)) {
    const oldValue = result[key] ?? defaults[key];
    if (isSameJson(oldValue, value)) continue;
    if (value === undefined || isSameJson(value, defaults[key])) delete result[key];
    else result[key] = value;
  }
  return result;
}
