import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { checkDefinitions } from '../../scripts/check-definitions';
import { helpForType, referencePaths, writeReference } from '../../scripts/reference';
import { languageFiles } from '../../src/engine/language/files';
import { toJsonSchema } from '../../src/engine/language/json-schema';
import type { KeySchema } from '../../src/engine/language/key';
import { composeDefinitions } from '../../src/server/definitions/compose-files';
import { readDefinitionFolders, systemFolder } from '../../src/server/definitions/folder';
import { systemHooks } from '../../src/server/system-hooks';

const folder = 'docs/reference';
const folders = { system: systemFolder, product: 'none' };
const system = readDefinitionFolders(folders);
const read = (path: string) => readFileSync(`${folder}/${path}`, 'utf8');

/** The blocks of JSON that are written by hand: whole files of a product. */
function examplesOf(text: string): Record<string, unknown>[] {
  const written = text.replace(/<!-- keys:[^]*<!-- end of keys -->/, '');
  return [...written.matchAll(/^```json\n([^]*?)\n```$/gm)].map(
    ([, json]) => JSON.parse(json!) as Record<string, unknown>,
  );
}

const ajv = new Ajv({ strict: false, formats: { email: true, regex: true } });
for (const [name, schema] of Object.entries(languageFiles)) ajv.addSchema(toJsonSchema(schema), name);

test('the tables of docs/reference are those of the language: npx tsx scripts/reference.ts', async () => {
  const pages = await writeReference(folder);
  const different = [...pages].filter(([path, text]) => !existsSync(`${folder}/${path}`) || read(path) !== text);
  expect(different.map(([path]) => path)).toEqual([]);
});

test('every picture is small, has its other theme, and is shown by its page', () => {
  const pictures = 'docs/screenshots/reference';
  const files = readdirSync(pictures, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.webp'));
  expect(files.length).toBeGreaterThan(60);
  for (const file of files) {
    expect(statSync(`${pictures}/${file}`).size, file).toBeLessThanOrEqual(40_000);
    const [, name, look] = /^(.+)-(light|dark)\.webp$/.exec(file)!;
    expect(files).toContain(`${name}-${look === 'light' ? 'dark' : 'light'}.webp`);
    expect(read(`${name}.md`), file).toContain(`screenshots/reference/${file}#gh-${look}-mode-only)`);
  }
});

describe('every page has a purpose, an example that resources:check accepts, and pages to see also', () => {
  test.each(referencePaths)('%s', (path) => {
    const text = read(path);
    expect(text).toMatch(/^# .+\n\n\w[^]{40}/);
    expect(text).toMatch(/\n## See also\n\n\[/);
    const examples = examplesOf(text);
    expect(examples.length).toBeGreaterThan(0);
    const files = examples.filter((one) => typeof one.$schema === 'string');
    for (const file of files) {
      const schema = (file.$schema as string).split('/').at(-1)!;
      expect(ajv.validate(schema, file) || ajv.errors, schema).toBe(true);
    }
    const definitions = examples
      .filter((one) => !files.includes(one))
      .map((one) => ({
        file: `none/${String(one.name ?? `${String(one.extends)}.extension`)}.json`,
        text: JSON.stringify(one, null, 2),
      }));
    const composed = { ...system, definitions: composeDefinitions(system.definitions, definitions) };
    expect(checkDefinitions(composed, folders, Object.keys(systemHooks)).problems).toEqual([]);
  });
});

/** Every key of the language with examples: its path, its schema, an example. */
function keyExamples(schema: KeySchema, path: string): [string, KeySchema, unknown][] {
  const below = [
    ...Object.entries(schema.properties ?? {}),
    ...(schema.items ? [['[]', schema.items] as const] : []),
    ...(typeof schema.additionalProperties === 'object' ? [['*', schema.additionalProperties] as const] : []),
  ];
  return [
    ...(schema.examples ?? []).map((one): [string, KeySchema, unknown] => [path, schema, one]),
    ...below.flatMap(([key, one]) => keyExamples(one, `${path}/${key}`)),
  ];
}

test('the examples in the descriptions of keys are values of these keys', () => {
  const all = Object.entries(languageFiles).flatMap(([name, schema]) =>
    keyExamples(schema, '').map(([path, key, example]) => ({ name, path, key, example })),
  );
  expect(all.length).toBeGreaterThan(30);
  // Examples of whole files refer to places within them, which their own test runs.
  const wrong = all.filter(({ path, key, example }) => path !== '' && !ajv.validate(toJsonSchema(key), example));
  expect(wrong.map(({ name, path, example }) => `${name}${path}: ${JSON.stringify(example)}`)).toEqual([]);
});

test.each([
  ['number: decimals. money: those stored.', 'money', 'Those stored.'],
  ['The least number; rows: how many there must be.', 'rows', 'How many there must be.'],
  ['The least number; rows: how many there must be.', 'number', 'The least number.'],
  ['rollup with `latest`, inverse with `maxItems`: the field.', 'inverse', 'With `maxItems`: the field.'],
  ['A regular expression: it must match.', 'text', 'A regular expression: it must match.'],
])('of the help %s a page of another type has only its part: %s', (help, type, expected) => {
  expect(helpForType(help, type)).toBe(expected);
});
