import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format } from 'oxfmt';
import { fieldTypeNames } from '../src/engine/definitions/field';
import { commonKeys } from '../src/engine/language/field';
import { builtInTypeKeys } from '../src/engine/language/field-types';
import type { TypeKeys } from '../src/engine/language/field-types/type-keys';
import { languageFiles } from '../src/engine/language/files';
import type { KeySchema, ReferenceKind } from '../src/engine/language/key';

// `npx tsx scripts/reference.ts` writes the tables of keys into the pages of docs/reference, between two comments. Texts
// outside of these comments are written by hand: the purpose, the smallest definition, behaviour, pitfalls. Pages of
// which there are pictures (tests/e2e/reference-screenshots.spec.ts) get them below their smallest definition.

/** A page about a part of the language. */
interface PartPage {
  readonly title: string;
  /** Where its keys are described: a file of the language, and keys that lead to a part of it. */
  readonly parts: readonly (readonly [file: string, ...keys: string[]])[];
}

const partPages: Readonly<Record<string, PartPage>> = {
  resource: { title: 'Resource', parts: [['resource']] },
  field: { title: 'Field', parts: [['field']] },
  condition: { title: 'Condition', parts: [['condition']] },
  expression: { title: 'Expression', parts: [['expression']] },
  list: { title: 'List', parts: [['list']] },
  filters: { title: 'Filters of a list', parts: [['list', 'filters']] },
  'saved-views': { title: 'Saved views', parts: [['list', 'saved']] },
  actions: { title: 'Row actions', parts: [['list', 'actions']] },
  charts: { title: 'Charts', parts: [['list', 'charts']] },
  board: { title: 'Board', parts: [['list', 'kanban']] },
  calendar: { title: 'Calendar', parts: [['list', 'calendar']] },
  timeline: { title: 'Timeline', parts: [['list', 'timeline']] },
  gallery: { title: 'Gallery', parts: [['list', 'gallery']] },
  tree: { title: 'Tree', parts: [['list', 'tree']] },
  parameter: { title: 'Parameter', parts: [['parameter']] },
  form: { title: 'Form', parts: [['form']] },
  page: { title: 'Page of a record', parts: [['page']] },
  comments: { title: 'Comments', parts: [['resource', 'comments']] },
  timer: { title: 'Timer', parts: [['resource', 'timer']] },
  request: { title: 'Requests', parts: [['request']] },
  automation: { title: 'Automations', parts: [['automation']] },
  validation: {
    title: 'Validation',
    parts: [
      ['resource', 'validate'],
      ['resource', 'unique'],
      ['resource', 'noOverlap'],
    ],
  },
  grants: { title: 'Grants', parts: [['resource', 'grants']] },
  rule: { title: 'Rules', parts: [['rule']] },
  import: { title: 'Import', parts: [['import']] },
  export: { title: 'Export', parts: [['resource', 'export']] },
  exports: { title: 'Downloads for other programs', parts: [['resource', 'exports']] },
  print: { title: 'Printed page', parts: [['resource', 'print']] },
  public: { title: 'Public access', parts: [['resource', 'public']] },
  extension: { title: 'Extension', parts: [['extension']] },
  product: { title: 'Product', parts: [['product']] },
  demo: { title: 'Demo data', parts: [['demo']] },
  start: { title: 'Guided start', parts: [['start']] },
};

const begin = '<!-- keys: written by scripts/reference.ts -->';
const end = '<!-- end of keys -->';
const beginPicture = '<!-- picture: written by scripts/reference.ts -->';
const endPicture = '<!-- end of picture -->';

/** The path of each page below docs/reference, in the order of the site. */
export const referencePaths: readonly string[] = [
  ...Object.keys(partPages).map((name) => `${name}.md`),
  ...fieldTypeNames.map((name) => `fields/${name}.md`),
];

/**
 * Every page of the reference by its path, with its tables as the language has them today.
 *
 * @param folder Where the pages with their text by hand are: docs/reference.
 */
export async function writeReference(folder: string): Promise<Map<string, string>> {
  const pages = new Map<string, string>();
  for (const path of referencePaths) {
    const keys = path.startsWith('fields/')
      ? describeType(path.slice('fields/'.length, -'.md'.length))
      : describePart(path.slice(0, -'.md'.length));
    pages.set(path, await layOut(folder, path, [begin, '', keys, '', end].join('\n')));
  }
  const contents = [begin, '', listPages(pages), '', end].join('\n');
  pages.set('README.md', await layOut(folder, 'README.md', contents));
  return pages;
}

async function layOut(folder: string, path: string, generated: string): Promise<string> {
  const file = join(folder, path);
  const text = withPicture(
    existsSync(file) ? readFileSync(file, 'utf8') : `# ${titleOf(path)}\n\n${begin}\n${end}\n`,
    folder,
    path,
  );
  const [beginIndex, endIndex] = [text.indexOf(begin), text.indexOf(end)];
  if (beginIndex === -1 || endIndex === -1) throw new Error(`${file} lacks the comments ${begin} and ${end}.`);
  const newText = `${text.slice(0, beginIndex)}${generated}${text.slice(endIndex + end.length)}`;
  return (await format(path, newText, { printWidth: 120 })).code;
}

/**
 * The text of a page with its pictures, light and dark, before the behaviour; without them where there are none. GitHub
 * and the site show the one of the theme, by the end of its address.
 */
function withPicture(text: string, folder: string, path: string): string {
  const start = text.indexOf(beginPicture);
  const bareText =
    start === -1
      ? text
      : text.slice(0, start) + text.slice(text.indexOf(endPicture) + endPicture.length).replace(/^\n+/, '');
  const name = path.replace(/\.md$/, '');
  const pictureFolder = `screenshots/reference/${name}`;
  const behaviour = bareText.indexOf('## Behaviour worth knowing');
  if (behaviour === -1 || !existsSync(join(folder, '..', `${pictureFolder}-light.webp`))) return bareText;
  const target = posix.relative(posix.dirname(posix.join('reference', path)), pictureFolder);
  const picture = (look: string) =>
    `![What appears for the smallest definition](${target}-${look}.webp#gh-${look}-mode-only)`;
  const block = [beginPicture, '', picture('light'), picture('dark'), '', endPicture, '', ''].join('\n');
  return bareText.slice(0, behaviour) + block + bareText.slice(behaviour);
}

function titleOf(path: string): string {
  if (path === 'README.md') return 'The definition language';
  const name = path.replace(/^fields\/|\.md$/g, '');
  return partPages[name]?.title ?? `\`${name}\``;
}

/** The lists of all pages with the first sentence of each. */
function listPages(pages: ReadonlyMap<string, string>): string {
  const entry = (path: string) => {
    const text = pages.get(path)!.split(begin)[0]!;
    const [title = '', purpose = ''] = text.split('\n\n');
    const sentence = /^[^]*?[.](?=\s|$)/.exec(purpose)?.[0] ?? '';
    return `- [${title.replace(/^# /, '')}](${path}): ${sentence.replaceAll('\n', ' ').replace(/\.$/, '')}`;
  };
  const paths = [...pages.keys()];
  return [
    '## Reference: parts of a definition',
    paths
      .filter((path) => !path.startsWith('fields/'))
      .map(entry)
      .join('\n'),
    '## Reference: field types',
    paths
      .filter((path) => path.startsWith('fields/'))
      .map(entry)
      .join('\n'),
  ].join('\n\n');
}

/** The keys of a page about a part. */
function describePart(name: string): string {
  const { parts } = partPages[name]!;
  const texts = parts.map(([file, ...keys]) => {
    const schema = keys.reduce(keyBelow, languageFiles[`${file}.schema.json`]!);
    const path = keys.join('.');
    const isShared = parts.length > 1;
    const keysOfPart = name === 'field' ? withoutTypeKeys(schema) : name === 'extension' ? ownKeys(schema) : schema;
    return [
      `## ${isShared ? `Keys of \`${path}\`` : 'Keys'}`,
      wrap(adaptLinks(schema.description ?? '', name)),
      ...(keys.length > 0 ? describeExamples(keys.at(-1)!, schema.examples ?? []) : []),
      ...describeKeys(keysOfPart, isShared ? `${path}.` : '', name),
    ]
      .filter((text) => text !== '')
      .join('\n\n');
  });
  return texts.join('\n\n');
}

function keyBelow(schema: KeySchema, key: string): KeySchema {
  return schema.properties![key]!;
}

/** A field without the keys that belong to types, which have pages. */
function withoutTypeKeys(schema: KeySchema): KeySchema {
  return { ...schema, properties: { type: schema.properties!.type!, ...commonKeys } };
}

/** An extension without the keys of definitions. */
function ownKeys(schema: KeySchema): KeySchema {
  const { $schema, extends: name, remove } = schema.properties!;
  return { ...schema, properties: { $schema: $schema!, extends: name!, remove: remove! } };
}

/** The keys of a page about a field type: those that belong to it. */
function describeType(type: string): string {
  const { keys, required: requiredKeys = [] }: TypeKeys = builtInTypeKeys[type as keyof typeof builtInTypeKeys];
  const properties = Object.fromEntries(
    Object.entries(keys).map(([key, schema]) => [
      key,
      { ...schema, description: helpForType(schema.description ?? '', type) },
    ]),
  );
  if (Object.keys(properties).length === 0)
    return '## Keys\n\nIt has the keys of [every field](../field.md), and none of its own.';
  const introduction = 'Besides those of [every field](../field.md), it has these keys.';
  const keysOfType = describeKeys({ properties, required: [...requiredKeys] }, '', `fields/${type}`);
  return ['## Keys', introduction, ...keysOfType].join('\n\n');
}

const typeWithCondition = `(?:${fieldTypeNames.join('|')})(?: (?:with|to|as) [^:.,;]{1,40})?`;
const typePrefix = new RegExp(
  `(?<=^|[.;·] )(${typeWithCondition}(?:(?:, | and )${typeWithCondition})*(?:, also as [^:.]{1,40})?): `,
  'g',
);

/**
 * Of a help text that speaks of several types, the sentences about one of them.
 *
 * @example helpForType('number: decimals. money: those stored.', 'money'); // 'Those stored.'
 */
export function helpForType(help: string, type: string): string {
  const starts = [...help.matchAll(typePrefix)];
  const general = help.slice(0, starts[0]?.index).trim();
  const sentences = starts.flatMap((match, index) => {
    const subject = match[1]!.split(/, | and /).find((word) => word.split(' ')[0] === type);
    if (subject === undefined) return [];
    const condition = subject.slice(type.length + 1);
    const text = help.slice(match.index + match[0].length, starts[index + 1]?.index).trim();
    return [condition === '' ? capitalise(text) : `${capitalise(condition)}: ${text}`];
  });
  // The words before a semicolon are about the other types.
  const parts = general.endsWith(';') && sentences.length > 0 ? sentences : [general, ...sentences];
  return parts
    .filter((text) => text !== '')
    .map((text) => text.replace(/;$/, '.'))
    .join(' ');
}

function capitalise(text: string): string {
  return text.replace(/^\p{L}/u, (firstLetter) => firstLetter.toUpperCase());
}

/** A table of keys, then the keys with more to say, then the parts within. */
function describeKeys(schema: KeySchema, prefix: string, page: string): string[] {
  const part = partOf(schema);
  const entries = Object.entries(part.properties ?? {});
  if (entries.length === 0) return [];
  const rows = entries.map(([key, keySchema]) => tableRow(key, keySchema, part, prefix, page));
  const table = ['| key | takes | default | means |', '| --- | --- | --- | --- |', ...rows].join('\n');
  const details = entries.flatMap(([key, keySchema]) => describeKey(key, keySchema, prefix, page));
  const comparisons = page === 'condition' && prefix === '' ? part.definitions?.operators : undefined;
  return [table, ...details, ...(comparisons ? ['### Comparisons', ...describeKeys(comparisons, '*.', page)] : [])];
}

/** The part that a key has: the object itself, that of each entry of a list, or that of each name. */
function partOf(schema: KeySchema): KeySchema {
  if (schema.properties) return schema;
  if (schema.items) return partOf(schema.items);
  return typeof schema.additionalProperties === 'object' ? partOf(schema.additionalProperties) : schema;
}

function tableRow(key: string, schema: KeySchema, part: KeySchema, prefix: string, page: string): string {
  const name = part.required?.includes(key) ? `**\`${key}\`**` : `\`${key}\``;
  const address = pageOfKey(page, prefix, key) ?? (hasMore(schema) ? `#${anchorOf(`${prefix}${key}`)}` : undefined);
  const valueText = describeValue(schema, page);
  const cells = [
    address === undefined ? name : `[${name}](${address})`,
    valueText.length > 160 ? 'one of the values below' : valueText,
    schema.default === undefined ? '' : `\`${JSON.stringify(schema.default)}\``,
    adaptLinks(shorten(schema.description ?? ''), page),
  ];
  return `| ${cells.map(escapeCell).join(' | ')} |`;
}

const cellLength = 130;

/** Whether a key has more to say than its row in the table. */
function hasMore(schema: KeySchema): boolean {
  return (
    (schema.description?.length ?? 0) > cellLength ||
    schema.examples !== undefined ||
    partOf(schema).properties !== undefined ||
    describeValue(schema, '').length > 160
  );
}

/** The first sentence, or the first words of a long one. */
function shorten(text: string): string {
  if (text.length <= cellLength) return text;
  const sentence = /^[^]*?[.](?= |$)/.exec(text)![0];
  if (sentence.length <= cellLength) return sentence;
  const words = sentence.slice(0, cellLength).replace(/\s\S*$/, '');
  const isOpen = (words.match(/`/g)?.length ?? 0) % 2 === 1;
  return `${(isOpen ? words.slice(0, words.lastIndexOf('`')) : words).replace(/[ ,;:(]+$/, '')} …`;
}

function describeKey(key: string, schema: KeySchema, prefix: string, page: string): string[] {
  if (!hasMore(schema) || pageOfKey(page, prefix, key) !== undefined) return [];
  const path = `${prefix}${key}`;
  const values = describeValue(schema, page);
  const isList = schema.items !== undefined;
  const isNamed = !isList && typeof schema.additionalProperties === 'object';
  return [
    `${'#'.repeat(Math.min(path.split('.').length + 2, 4))} \`${path}\``,
    wrap(adaptLinks(schema.description ?? '', page)),
    ...(values.length > 160 ? [wrap(`It takes ${values}.`)] : []),
    ...describeExamples(key, schema.examples ?? []),
    ...describeKeys(schema, `${path}${isList ? '[]' : isNamed ? '.*' : ''}.`, page),
  ];
}

/** Short examples in a line, others as blocks. */
function describeExamples(key: string, examples: readonly unknown[]): string[] {
  const isShort = (example: unknown) => JSON.stringify(example).length <= 40;
  const short = examples.filter(isShort).map((example) => `\`${JSON.stringify(example)}\``);
  const blocks = examples
    .filter((example) => !isShort(example))
    .map((example) => `\`\`\`json\n{ ${JSON.stringify(key)}: ${JSON.stringify(example)} }\n\`\`\``);
  return [...(short.length > 0 ? [wrap(`Such as ${short.join(', ')}.`)] : []), ...blocks];
}

/** The page of a key that has one, relative to the page that names it. */
function pageOfKey(page: string, prefix: string, key: string): string | undefined {
  if (prefix !== '') return undefined;
  const owner = partPages[page];
  const target = Object.entries(partPages).find(
    ([name, { parts }]) =>
      name !== page &&
      parts.some(([file, ...keys]) => keys.length === 1 && keys[0] === key && owner?.parts[0]?.join() === file),
  )?.[0];
  if (target) return `${target}.md`;
  const linked: Readonly<Record<string, string>> = {
    fields: 'field',
    parameters: 'parameter',
    list: 'list',
    form: 'form',
    requests: 'request',
    import: 'import',
    rules: 'rule',
    automations: 'automation',
    page: 'page',
  };
  return page === 'resource' && linked[key] ? `${linked[key]}.md` : undefined;
}

const nameWords: Readonly<Partial<Record<ReferenceKind, string>>> = {
  field: 'field',
  path: 'field or path',
  sort: 'field, `-` for descending',
  resource: 'resource',
  relation: 'relation',
  icon: 'icon',
  role: 'role',
  request: 'request',
  template: 'template',
};

/** The kind of values that a key takes, in words. */
function describeValue(schema: KeySchema, page: string): string {
  const reference = schema.$ref ?? schema.allOf?.find((alternative) => alternative.$ref)?.$ref;
  if (reference) return linkTo(reference, page);
  const name = schema.type === 'string' && schema.reference ? nameWords[schema.reference.kind] : undefined;
  if (name) return name;
  const words = schema.enum?.map((value) => `\`${JSON.stringify(value)}\``).join(' ');
  if (words) return words;
  if ('const' in schema) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.anyOf) return schema.anyOf.map((alternative) => describeValue(alternative, page)).join(' or ');
  const types = [schema.type ?? 'anything'].flat();
  const scalars = ['string', 'number', 'boolean', 'null'];
  if (scalars.every((type) => types.includes(type)))
    return ['value', ...types.filter((type) => !scalars.includes(type))].join(' or ');
  return types.map((type) => describeJsonType(type, schema, page)).join(' or ');
}

function describeJsonType(type: string, schema: KeySchema, page: string): string {
  const alternative = schema.allOf?.find((alternative) => alternative.if?.type === type)?.then;
  if (alternative?.$ref) return linkTo(alternative.$ref, page);
  if (alternative?.enum) return alternative.enum.map((value) => `\`${JSON.stringify(value)}\``).join(' ');
  if (type === 'array') return schema.items ? `list of ${describeValue(schema.items, page)}` : 'list';
  if (type === 'object' && typeof schema.additionalProperties === 'object')
    return `names → ${describeValue(schema.additionalProperties, page)}`;
  const words: Readonly<Record<string, string>> = {
    string: 'text',
    boolean: '`true` `false`',
    integer: 'whole number',
  };
  return words[type] ?? type;
}

function linkTo(reference: string, page: string): string {
  const name = reference.startsWith('#') ? 'condition' : reference.split('.')[0]!;
  return page === name ? name : `[${name}](${relativePath(page, name)})`;
}

function relativePath(page: string, name: string): string {
  const path = posix.relative(posix.dirname(page), name);
  return `${path}.md`;
}

/** Links of help texts lead to parts, `[expression](#expression)`, or to pages of `docs/`. */
function adaptLinks(text: string, page: string): string {
  const folder = posix.dirname(`reference/${page}`);
  return text
    .replace(/\]\(([\w-]+\.md)(?=[)#])/g, (_, file: string) => `](${posix.relative(folder, file)}`)
    .replace(/\]\(#([\w-]+)\)/g, (_, name: string) => `](${relativePath(page, name)})`);
}

/** Text in lines of at most 120 characters; no line begins like an entry of a list. */
function wrap(text: string): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1)!;
    const isOnLine = line === '' || line.length + word.length < 120 || /^([-+*#>·]|\d+[.)])/.test(word);
    if (isOnLine) lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
    else lines.push(word);
  }
  return lines.join('\n');
}

function anchorOf(path: string): string {
  return path.toLowerCase().replace(/[^\p{L}\p{N}_-]/gu, '');
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = fileURLToPath(new URL('../docs/reference', import.meta.url));
  for (const [path, text] of await writeReference(folder)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}
