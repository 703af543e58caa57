import { describe, expect, test } from 'vitest';
import { actions, fieldTypeNames, hookEvents, tones } from '../../src/engine/definitions/definition';
import extension from '../../schemas/extension.schema.json';
import { schemas } from '../../src/server/definitions/source-validator';

interface Schema {
  description?: string;
  type?: string | string[];
  enum?: unknown[];
  additionalProperties?: boolean | Schema;
  properties?: Record<string, Schema>;
  items?: Schema;
  allOf?: Schema[];
  definitions?: Record<string, Schema>;
  $ref?: string;
}

const all = Object.entries(schemas) as [string, Schema][];

/** Every place of a schema that has properties of its own. */
function objects(schema: Schema, path: string): [string, Schema][] {
  const parts = [
    ...Object.entries(schema.properties ?? {}),
    ...Object.entries(schema.definitions ?? {}),
    ...(schema.items ? [['[]', schema.items] as const] : []),
    ...(typeof schema.additionalProperties === 'object' ? [['*', schema.additionalProperties] as const] : []),
  ];
  const inner = parts.flatMap(([name, part]) => objects(part, `${path}/${name}`));
  return schema.properties ? [[path, schema], ...inner] : inner;
}

describe('the schemas of the language', () => {
  test.each(all.flatMap(([name, schema]) => objects(schema, name)))(
    '%s describes every key and allows no other',
    (_, schema) => {
      for (const [key, part] of Object.entries(schema.properties!)) {
        expect(part.description, key).toMatch(/\w{3}/);
      }
      expect(schema.additionalProperties).toBe(false);
    },
  );

  test('have the names that the engine knows', () => {
    const property = (file: string, name: string) => (schemas[`${file}.schema.json`] as Schema).properties![name]!;
    expect(property('field', 'type').enum).toEqual([...fieldTypeNames]);
    expect(Object.keys(property('resource', 'hooks').properties!)).toEqual([...hookEvents]);
    expect(property('rule', 'action').items!.enum).toEqual([...actions]);
    expect(property('list', 'highlight').properties!.tone!.enum).toEqual([...tones]);
  });

  test('let an extension have every key of a definition but its names', () => {
    const known = Object.keys((schemas['resource.schema.json'] as Schema).properties!);
    const own = ['$schema', 'extends', 'remove'];
    expect(Object.keys(extension.properties)).toEqual([
      ...own,
      ...known.filter((key) => !/^(\$schema|name|formerName)$/.test(key)),
    ]);
  });
});
