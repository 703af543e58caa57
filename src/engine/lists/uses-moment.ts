import type { Definition } from '../definitions/definition';

/** Keys of a definition whose conditions are evaluated only by the server and forms. */
const elsewhere: ReadonlySet<string> = new Set(['computed', 'default', 'notAfter', 'choices']);

const known = new WeakMap<Definition, boolean>();

/** Whether any condition or value of a list, board or card of this definition refers to `$today` or `$now`. */
export function usesMoment(definition: Definition): boolean {
  let answer = known.get(definition);
  if (answer === undefined) known.set(definition, (answer = refersToMoment(definition)));
  return answer;
}

function refersToMoment(value: unknown): boolean {
  if (typeof value === 'string') return /^\$(today|now)\b/.test(value);
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(refersToMoment);
  return Object.entries(value).some(
    ([key, part]) => !elsewhere.has(key) && (refersToMoment(key) || refersToMoment(part)),
  );
}
