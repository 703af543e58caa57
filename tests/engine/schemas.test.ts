import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { actions, fieldTypeNames, hookEvents, tones } from '../../src/engine/definitions/definition';
import extension from '../../schemas/extension.schema.json';
import { definitionDocs } from '../../scripts/definition-docs';
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

  test('offer the very names that the engine knows', () => {
    const property = (file: string, name: string) => (schemas[`${file}.schema.json`] as Schema).properties![name]!;
    expect(property('field', 'type').enum).toEqual([...fieldTypeNames]);
    expect(Object.keys(property('resource', 'hooks').properties!)).toEqual([...hookEvents]);
    expect(property('rule', 'action').items!.enum).toEqual([...actions]);
    expect(property('list', 'highlight').properties!.tone!.enum).toEqual([...tones]);
  });

  test('know the same keys as the type of a written definition', () => {
    const types = readTypes(new URL('../../src/engine/definitions/source.ts', import.meta.url));
    const faults: string[] = [];
    compare(types.get('Source')!, schemas['resource.schema.json'] as Schema, 'resource', types, faults);
    expect(faults).toEqual([]);
  });

  test('let an extension have every key of a definition but its names', () => {
    const known = Object.keys((schemas['resource.schema.json'] as Schema).properties!);
    const own = ['$schema', 'extends', 'remove'];
    expect(Object.keys(extension.properties)).toEqual([
      ...own,
      ...known.filter((key) => !/^(\$schema|name|was)$/.test(key)),
    ]);
  });

  test('match docs/definitions.md', async () => {
    const page = readFileSync(new URL('../../docs/definitions.md', import.meta.url), 'utf8');
    expect(page).toBe(await definitionDocs());
  });
});

type Types = ReadonlyMap<string, ts.NodeArray<ts.TypeElement>>;

function readTypes(file: URL): Types {
  const source = ts.createSourceFile('source.ts', readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  return new Map(source.statements.filter(ts.isInterfaceDeclaration).map((one) => [one.name.text, one.members]));
}

/** Holds the members of a type against the properties of a schema, and goes into both. */
function compare(
  members: readonly ts.TypeElement[],
  schema: Schema,
  path: string,
  types: Types,
  faults: string[],
): void {
  const keys = members.map((member) => member.name!.getText());
  const known = Object.keys(schema.properties ?? {});
  for (const key of keys) if (!known.includes(key)) faults.push(`${path}.${key} is missing in the schema`);
  for (const key of known) if (!keys.includes(key)) faults.push(`${path}.${key} is missing in the type`);
  for (const member of members) {
    const key = member.name!.getText();
    const part = schema.properties?.[key];
    if (part && ts.isPropertySignature(member)) descend(member.type!, part, `${path}.${key}`, types, faults);
  }
}

function descend(type: ts.TypeNode, schema: Schema, path: string, types: Types, faults: string[]): void {
  const reference = schema.$ref ?? schema.allOf?.find((part) => part.$ref)?.$ref;
  const target = reference?.endsWith('.json') ? (schemas[reference] as Schema) : schema;
  if (ts.isParenthesizedTypeNode(type)) return descend(type.type, schema, path, types, faults);
  if (ts.isUnionTypeNode(type)) return type.types.forEach((one) => descend(one, schema, path, types, faults));
  if (ts.isArrayTypeNode(type))
    return schema.items && descend(type.elementType, schema.items, `${path}[]`, types, faults);
  if (ts.isTypeLiteralNode(type)) return compare(type.members, target, path, types, faults);
  if (!ts.isTypeReferenceNode(type)) return;
  const name = type.typeName.getText();
  const [first, second] = type.typeArguments ?? [];
  if (name === 'Partial') return descend(first!, schema, path, types, faults);
  if (name === 'Record') {
    if (ts.isUnionTypeNode(first!)) {
      expect(Object.keys(target.properties ?? {}), path).toEqual(first.types.map((one) => one.getText().slice(1, -1)));
    } else if (typeof target.additionalProperties === 'object') {
      descend(second!, target.additionalProperties, `${path}.*`, types, faults);
    }
    return;
  }
  // A field of rows has fields: those have been compared.
  const isWithinItself = path.includes('.fields.*.fields');
  const members = types.get(name);
  if (members && !isWithinItself) compare(members, target, path, types, faults);
}
