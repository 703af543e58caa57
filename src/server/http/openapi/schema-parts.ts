/** A part of the document: a schema, a parameter, a call. */
export type Json = Record<string, unknown>;

export const text = { type: 'string' } as const;
export const integer = { type: 'integer' } as const;
export const recordId = { type: 'integer', minimum: 1 } as const;
export const instant = { type: 'string', format: 'date-time' } as const;
export const binary = { type: 'string', format: 'binary' } as const;

/** An object that has all of these properties. */
export function objectOf(properties: Json, rest: Json = {}): Json {
  return { type: 'object', required: Object.keys(properties), properties, ...rest };
}

/** An object that has some of these properties. */
export function partialOf(properties: Json): Json {
  return { type: 'object', properties };
}

/** A list, with limits and a description if there are any. */
export function listOf(items: object, rest: Json = {}): Json {
  return { type: 'array', ...rest, items };
}

/** The content of a body or response that is JSON. */
export function json(schema: object): Json {
  return { 'application/json': { schema } };
}

/** A parameter of the query. */
export function inQuery(name: string, description: string | undefined, schema: object, rest: Json = {}): NamedPart {
  return { name, in: 'query', ...(description !== undefined && { description }), ...rest, schema };
}

/** A parameter of the path. */
export function inPath(name: string, schema: object): NamedPart {
  return { name, in: 'path', required: true, schema };
}

/** A parameter. */
export interface NamedPart extends Json {
  readonly name: string;
}

/** A name for types, as in `TestCase` for "test case". Empty if the text has no letters of the Latin alphabet. */
export function typeName(label: string): string {
  return label
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
    .replace(/^\d+/, '');
}
