import { at, type Fault } from './paths';

/** What a definition may hold at most: far more than any of those that come with the program. */
const most = { fields: 200, parts: 20_000, depth: 40, text: 4_000, name: 200, entries: 500 } as const;

interface Place {
  readonly value: unknown;
  readonly path: string;
  readonly depth: number;
}

/**
 * The first place where a written definition is beyond all measure, before anything else is done with it: each further
 * step costs more with every field.
 */
export function checkSize(source: unknown): Fault | undefined {
  const fields = isObject(source) && isObject(source.fields) ? Object.keys(source.fields).length : 0;
  if (fields > most.fields)
    return { path: '/fields', message: `These are ${fields} fields; a definition has at most ${most.fields}.` };
  const waiting: Place[] = [{ value: source, path: '', depth: 0 }];
  for (let parts = 1; waiting.length > 0; parts++) {
    if (parts > most.parts)
      return { path: '', message: `This is too much: a definition has at most ${most.parts} parts.` };
    const place = waiting.pop()!;
    const fault = faultAt(place);
    if (fault) return fault;
    if (typeof place.value !== 'object' || place.value === null) continue;
    for (const [key, value] of Object.entries(place.value)) {
      if (key.length > most.name)
        return { path: place.path, message: `A name of ${key.length} characters is too long: at most ${most.name}.` };
      waiting.push({ value, path: at(place.path, key), depth: place.depth + 1 });
    }
  }
  return undefined;
}

function faultAt({ value, path, depth }: Place): Fault | undefined {
  if (typeof value === 'string' && value.length > most.text)
    return { path, message: `This text has ${value.length} characters; at most ${most.text} are taken here.` };
  if (typeof value === 'string' && /[\p{Surrogate}\0]/u.test(value))
    return { path, message: 'This text contains a character that cannot be stored.' };
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth > most.depth) return { path, message: 'Lists and objects lie in each other too deeply here.' };
  const entries = Array.isArray(value) ? value.length : Object.keys(value).length;
  if (entries > most.entries)
    return { path, message: `These are ${entries} entries; at most ${most.entries} are taken here.` };
  return undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
