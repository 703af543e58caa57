import { at, type Fault } from './paths';

/** Upper limits for a definition, far above any shipped one. */
const most = { fields: 200, parts: 20_000, depth: 40, text: 4_000, name: 200, entries: 500 } as const;

interface Place {
  readonly value: unknown;
  readonly path: string;
  readonly depth: number;
}

/**
 * The first place where a source definition exceeds the limits. Runs before all other checks, because their cost grows
 * with every field.
 */
export function checkSize(source: unknown): Fault | undefined {
  const fields = isObject(source) && isObject(source.fields) ? Object.keys(source.fields).length : 0;
  if (fields > most.fields)
    return {
      path: '/fields',
      message: `A definition must have at most ${most.fields} fields; this one has ${fields}.`,
    };
  const waiting: Place[] = [{ value: source, path: '', depth: 0 }];
  for (let parts = 1; waiting.length > 0; parts++) {
    if (parts > most.parts) return { path: '', message: `A definition must have at most ${most.parts} values.` };
    const place = waiting.pop()!;
    const fault = faultAt(place);
    if (fault) return fault;
    if (typeof place.value !== 'object' || place.value === null) continue;
    for (const [key, value] of Object.entries(place.value)) {
      if (key.length > most.name)
        return {
          path: place.path,
          message: `A name must have at most ${most.name} characters; this one has ${key.length}.`,
        };
      waiting.push({ value, path: at(place.path, key), depth: place.depth + 1 });
    }
  }
  return undefined;
}

function faultAt({ value, path, depth }: Place): Fault | undefined {
  if (typeof value === 'string' && value.length > most.text)
    return { path, message: `This text must have at most ${most.text} characters; it has ${value.length}.` };
  if (typeof value === 'string' && /[\p{Surrogate}\0]/u.test(value))
    return { path, message: 'This text contains a character that cannot be stored.' };
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth > most.depth) return { path, message: 'Lists and objects are nested too deeply here.' };
  const entries = Array.isArray(value) ? value.length : Object.keys(value).length;
  if (entries > most.entries)
    return { path, message: `This must have at most ${most.entries} entries; it has ${entries}.` };
  return undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
