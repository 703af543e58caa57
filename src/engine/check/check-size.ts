import { joinPointer, type Problem } from '../definitions/problems';

/** Upper limits for a definition, far above any shipped one. */
const limits = { fields: 200, parts: 20_000, depth: 40, text: 4_000, name: 200, entries: 500 } as const;

interface Place {
  readonly value: unknown;
  readonly path: string;
  readonly depth: number;
}

/**
 * The first place where a source definition exceeds the limits. Runs before all other checks, because their cost grows
 * with every field.
 *
 * @example checkSize({ name: 'browsers', fields: {} }); // undefined
 */
export function checkSize(source: unknown): Problem | undefined {
  const fields = isObject(source) && isObject(source.fields) ? Object.keys(source.fields).length : 0;
  if (fields > limits.fields)
    return {
      path: '/fields',
      message: `A definition must have at most ${limits.fields} fields; this one has ${fields}.`,
    };
  const queue: Place[] = [{ value: source, path: '', depth: 0 }];
  let parts = 0;
  for (let part = queue.pop(); part; part = queue.pop()) {
    parts++;
    if (parts > limits.parts) return { path: '', message: `A definition must have at most ${limits.parts} values.` };
    const fault = problemAt(part);
    if (fault) return fault;
    if (typeof part.value !== 'object' || part.value === null) continue;
    for (const [key, value] of Object.entries(part.value)) {
      if (key.length > limits.name)
        return {
          path: part.path,
          message: `A name must have at most ${limits.name} characters; this one has ${key.length}.`,
        };
      queue.push({ value, path: joinPointer(part.path, key), depth: part.depth + 1 });
    }
  }
  return undefined;
}

function problemAt({ value, path, depth }: Place): Problem | undefined {
  if (typeof value === 'string' && value.length > limits.text)
    return { path, message: `This text must have at most ${limits.text} characters; it has ${value.length}.` };
  if (typeof value === 'string' && /[\p{Surrogate}\0]/u.test(value))
    return { path, message: 'This text contains a character that cannot be stored.' };
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth > limits.depth) return { path, message: 'Lists and objects are nested too deeply here.' };
  const entries = Array.isArray(value) ? value.length : Object.keys(value).length;
  if (entries > limits.entries)
    return { path, message: `This must have at most ${limits.entries} entries; it has ${entries}.` };
  return undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
