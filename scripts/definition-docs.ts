import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format } from 'oxfmt';
import demo from '../schemas/demo.schema.json';
import start from '../schemas/start.schema.json';
import extension from '../schemas/extension.schema.json';
import product from '../schemas/product.schema.json';
import { schemas } from '../src/server/definitions/source-validator';

// Writes docs/definitions.md from the schemas of the definition language: `tsx scripts/definition-docs.ts`.

/** The part of JSON Schema that the language's schemas use. */
interface Schema {
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly $ref?: string;
  readonly if?: Schema;
  readonly then?: Schema;
  readonly definitions?: Readonly<Record<string, Schema>>;
}

const introduction = `# The definition language

Generated from \`schemas/\` by \`scripts/definition-docs.ts\`. Do not edit.

One file in \`resources/\` describes one kind of record; its table, API, permissions, list and form follow from it. Save
the file while the program runs, and open screens change. What every product has (users, roles, companies) is described in
\`system/\` in the same way, and a product may [extend](#extension) it. \`npm run resources:check\` says what is wrong with a file, and
where. A whole definition can be as short as this:

\`\`\`json
{
  "$schema": "../schemas/resource.schema.json",
  "name": "browsers",
  "labels": { "one": "Browser", "many": "Browsers" },
  "fields": { "name": { "type": "text", "required": true } }
}
\`\`\`

An editor that knows JSON Schema (Visual Studio Code does) completes every key and explains it. The tables below say the
same: what a key takes, what it means, and what holds where it is left out. Keys in **bold** must be there. A dot leads
into an object, \`[]\` into a list, \`*\` stands for names of your own.
`;

const order = [
  'resource',
  'field',
  'condition',
  'expression',
  'list',
  'form',
  'page',
  'request',
  'automation',
  'import',
  'rule',
  'parameter',
];

/** The whole page, as in docs/definitions.md. */
export async function definitionDocs(): Promise<string> {
  const parts = [
    ...order.map((name) => schemas[`${name}.schema.json`] as Schema),
    withOwnKeys(extension),
    product,
    demo,
    start,
  ];
  const text = [introduction, ...parts.map(section)].join('\n');
  return (await format('definitions.md', text, { printWidth: 120 })).code;
}

/** The schema of extensions without the keys of definitions, which have their own tables. */
function withOwnKeys({ properties, ...schema }: typeof extension): Schema {
  const { $schema, extends: name, remove } = properties;
  return { ...schema, properties: { $schema, extends: name, remove } };
}

function section(schema: Schema): string {
  const rows = keysOf(schema, '', schema);
  return [
    `## ${schema.title}`,
    `\n${schema.description}\n`,
    '| key | takes | means |',
    '| --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

function keysOf(schema: Schema, prefix: string, root: Schema): string[] {
  const operators = root.definitions?.operators?.properties;
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, part]) => {
    const must = schema.required?.includes(name) ?? false;
    const key = `${prefix}${name}`;
    const row = `| ${must ? `**\`${key}\`**` : `\`${key}\``} | ${cell(takes(part))} | ${cell(meaning(part))} |`;
    return [row, ...inner(part, key, root)];
  });
  const compared =
    schema === root && operators ? keysOf({ properties: operators }, '*.', { properties: operators }) : [];
  return [...own, ...compared];
}

/** The nested keys of a key. */
function inner(part: Schema, key: string, root: Schema): string[] {
  if (part.properties) return keysOf(part, `${key}.`, root);
  if (part.items?.properties) return keysOf(part.items, `${key}[].`, root);
  const named = part.additionalProperties;
  return typeof named === 'object' && named.properties ? keysOf(named, `${key}.*.`, root) : [];
}

function takes(part: Schema): string {
  const reference = part.$ref ?? part.allOf?.find((one) => one.$ref)?.$ref;
  if (reference) return link(reference);
  const words = part.enum?.map((one) => `\`${JSON.stringify(one)}\``).join(' ');
  if (words) return words;
  const types = [part.type ?? 'anything'].flat() as string[];
  const scalars = ['string', 'number', 'boolean', 'null'];
  if (scalars.every((type) => types.includes(type))) {
    return ['value', ...types.filter((type) => !scalars.includes(type))].join(' or ');
  }
  return types.map((type) => typeWords(type, part)).join(' or ');
}

function typeWords(type: string, part: Schema): string {
  const alternative = part.allOf?.find((one) => one.if?.type === type)?.then;
  if (alternative?.$ref) return link(alternative.$ref);
  if (alternative?.enum) return alternative.enum.map((one) => `\`${JSON.stringify(one)}\``).join(' ');
  if (type === 'array') return part.items ? `list of ${takes(part.items)}` : 'list';
  if (type === 'object' && typeof part.additionalProperties === 'object')
    return `names → ${takes(part.additionalProperties)}`;
  const words: Record<string, string> = { string: 'text', boolean: '`true` `false`', integer: 'whole number' };
  return words[type] ?? type;
}

function link(reference: string): string {
  const name = reference.split('.')[0]!;
  return name === '#' || name.startsWith('#/') ? '[condition](#condition)' : `[${name}](#${name})`;
}

function meaning(part: Schema): string {
  const stated = part.default === undefined ? '' : ` Default: \`${JSON.stringify(part.default)}\`.`;
  return `${part.description ?? ''}${stated}`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL('../docs/definitions.md', import.meta.url), await definitionDocs());
}
