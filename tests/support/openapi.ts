import { Ajv } from 'ajv';
import { formats } from '../../src/engine/validation/formats';
import type { DocumentedCall } from '../../src/server/routing/call-description';
import { ownKeywords } from '../../src/server/routing/validate-call';
import type { Client } from './program';

/**
 * A document or a part of it, in which each `$ref` is replaced by what it names, but for what a text says as JSON:
 * conditions may contain conditions.
 */
export function resolveReferences<T>(document: { readonly components: object }, part: unknown): T {
  if (Array.isArray(part)) return part.map((one) => resolveReferences(document, one)) as T;
  if (typeof part !== 'object' || part === null) return part as T;
  if ('$ref' in part) {
    const steps = String(part.$ref).split('/').slice(1);
    const named = steps.reduce<unknown>((found, step) => (found as Record<string, unknown>)[step], document);
    return resolveReferences(document, named);
  }
  return Object.fromEntries(
    Object.entries(part).map(([name, value]) => [
      name,
      name === 'contentSchema' ? value : resolveReferences(document, value),
    ]),
  ) as T;
}

/** What does not compile in strict mode of the schemas of declared calls: `id, part: reason`. */
export async function schemaFaults(calls: readonly DocumentedCall[], call: Client): Promise<string[]> {
  const { components } = (await call<{ components: object }>('GET', '/openapi.json')).body;
  const known = { ...formats, password: true, binary: true } as const;
  const ajv = new Ajv({ allowUnionTypes: true, formats: known, keywords: [...ownKeywords, 'components'] });
  return calls.flatMap(({ id, params, querystring, body, answer }) =>
    Object.entries({ params, querystring, body, answer }).flatMap(([part, schema]) => {
      if (!schema) return [];
      try {
        ajv.compile({ ...schema, components });
        return [];
      } catch (error) {
        return [`${id}, ${part}: ${(error as Error).message}`];
      }
    }),
  );
}
