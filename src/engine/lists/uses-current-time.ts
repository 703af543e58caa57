import type { Definition } from '../definitions/definition';

/** Keys of a definition whose conditions are evaluated only by the server and forms. */
const ignoredKeys: ReadonlySet<string> = new Set(['computed', 'default', 'maxDate', 'choices']);

const usesCurrentTimeCache = new WeakMap<Definition, boolean>();

/**
 * Whether any condition or value of a list, board or card of this definition refers to `$today` or `$now`.
 *
 * @example usesCurrentTime(tasks); // true: late ones are marked
 */
export function usesCurrentTime(definition: Definition): boolean {
  let answer = usesCurrentTimeCache.get(definition);
  if (answer === undefined) usesCurrentTimeCache.set(definition, (answer = refersToCurrentTime(definition)));
  return answer;
}

function refersToCurrentTime(value: unknown): boolean {
  if (typeof value === 'string') return /^\$(today|now)\b/.test(value);
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(refersToCurrentTime);
  return Object.entries(value).some(
    ([key, part]) => !ignoredKeys.has(key) && (refersToCurrentTime(key) || refersToCurrentTime(part)),
  );
}
