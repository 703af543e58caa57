import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { engineTests, parse, type Source, sources, walk } from './sources';

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));
const namesIn = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.json') && !name.endsWith('.extension.json'))
    .map((name) => name.slice(0, -'.json'.length));
const product = namesIn('resources');
const resources = [...namesIn('system'), ...product];

// Words of HTTP and of the definition language that are also resources: only where they stand for a record kind.
const AMBIGUOUS = ['actions', 'attempts', 'pages', 'results', 'roles', 'states', 'status', 'views'];
// Icons are pictures of things, named after the things.
const EXEMPT = ['src/product/', 'src/app/icons/'];
const FORBIDDEN_PARTS = /(^|[/.-])(utils?|helpers?|common|managers?|models?)(?=[/.-]|$)/i;

test('the check of names has resources of the product', () => {
  expect(product).toContain('countries');
  expect(resources).toContain('users');
});

test('no resource of the product is named outside resources, custom screens and the product', () => {
  const found = ofTheProgram(sources).flatMap((source) =>
    namings(
      source,
      /^src\/(server\/(accounts|automation|grids|imports|notifications)|app\/(screens|studio|shell\/systemScreens|data\/importAccess|fields\/snippets|list\/saved-views))[./]/.test(
        source.path,
      )
        ? product
        : resources,
    ),
  );
  expect(found).toEqual([]);
});

// Fields that only the product's definitions have; a single word may mean anything. The system uses some names, too: of
// OpenID Connect, of announcements, of jobs and of each record. What other products call a field as well, anybody may.
const fieldsOf = (folder: string) =>
  namesIn(folder).flatMap((name) => Object.keys((readJson(`${folder}/${name}.json`) as { fields: object }).fields));
const otherProducts = [
  'tests/fixtures/product',
  'examples/crm',
  'examples/inventory',
  'examples/helpdesk',
  'examples/leave',
];
const ofOthers = [
  ...['client_id', 'user_ids', 'updated_by', 'started_at', ...fieldsOf('system')],
  ...otherProducts.flatMap((folder) => fieldsOf(`${folder}/resources`)),
];
const ownFields = new Set(fieldsOf('resources').filter((name) => name.includes('_') && !ofOthers.includes(name)));
const ownTables = new RegExp(`\\bpublic\\.(${product.map((name) => name.replaceAll('-', '_')).join('|')})(?![a-z])`);

test('no field or table of the product is named outside resources, custom screens and the product', () => {
  expect(ownFields).toContain('project_id');
  expect(ofTheProgram(sources).flatMap(fieldNamings)).toEqual([]);
});

/** Tests of the engine that name the product nevertheless. */
const onTheProduct = new Map([
  ['tests/server/product/empty.test.ts', 'checks that nothing of the product is served without it'],
  ['tests/server/accounts/permissions/view-as.test.ts', 'looks at the screens of the product as well'],
  ['tests/server/modules/pull-push.test.ts', 'runs the scripts as they ship, on their own folder of definitions'],
]);

test('the tests of the engine name no resource, field or table of the product', () => {
  const found = engineTests
    .filter(({ path }) => !onTheProduct.has(path))
    .flatMap((source) => [...namings(source, product), ...fieldNamings(source)]);
  expect(found).toEqual([]);
});

test.each([
  ['const a = row.project_id;'],
  ["const a = 'task_id';"],
  ['sql`select 1 from public.projects__user_ids o`'],
])('a field or table of the product in generic code is reported: %s', (text) =>
  expect(fieldNamings(parse('src/server/a.ts', text))).toHaveLength(1),
);

function fieldNamings({ path, tree }: Source): string[] {
  const found: string[] = [];
  walk(tree, (node) => {
    const isNamed =
      (ts.isIdentifier(node) && ownFields.has(node.text)) ||
      (isText(node) && (node.text.split(/\W+/).some((word) => ownFields.has(word)) || ownTables.test(node.text)));
    if (isNamed) found.push(`${path}:${tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1}`);
  });
  return found;
}

test.each([
  ["const table = 'countries';"],
  ['const url = `/api/clients/${id}`;'],
  ["fetch('/api/status?q=a');"],
  ["const field = { type: 'relation', to: 'status' };"],
  ["const of = 'project-modules.project_id';"],
  ['const count = projects.length;'],
  ['const page = <p>clients</p>;'],
  ['const kinds = { clients: 1 };'],
])('a resource of the product in generic code is reported: %s', (text) => {
  const names = ['countries', 'clients', 'status', 'project-modules', 'projects', 'roles'];
  expect(namings(parse('src/app/a.tsx', text), names)).toHaveLength(1);
});

test.each([
  ['// All clients of a company'],
  ['reply.status(503).send({ status: 1 });'],
  ["const kind = 'actions';"],
  ["const message = 'Sign in again to see your projects';"],
  ['const totalClients = 1;'],
])('a text that names no resource of the product is not reported: %s', (text) => {
  expect(namings(parse('src/app/a.tsx', text), ['clients', 'status', 'actions', 'projects'])).toEqual([]);
});

test('NODE_ENV is read in one place', () => {
  const readers = sources.filter(
    ({ path, text }) => text.includes('NODE_ENV') && !path.startsWith('src/server/settings/'),
  );
  expect(readers.map(({ path }) => path)).toEqual([]);
});

test('files and folders have names that say their content', () => {
  expect(sources.map(({ path }) => path).filter((path) => FORBIDDEN_PARTS.test(path))).toEqual([]);
});

function ofTheProgram(all: Source[]): Source[] {
  return all.filter(({ path }) => path.startsWith('src/') && !EXEMPT.some((folder) => path.startsWith(folder)));
}

/** Where a source names one of these resources: in an identifier, or in a text that is the name, a path or a reference. */
function namings({ path, tree }: Source, names: string[]): string[] {
  const clear = names.filter((name) => !AMBIGUOUS.includes(name));
  const identifiers = new Set(clear);
  const references = new RegExp(`^([^ ]*/)?(${clear.join('|')})([/?.][^ ]*)?$`);
  const targets = new Set(names);
  const addresses = new RegExp(`^(/api)?/(${names.join('|')})([/?][^ ]*)?$`);

  const isNamed = (node: ts.Node): boolean => {
    if (ts.isIdentifier(node)) return identifiers.has(node.text);
    if (ts.isJsxText(node)) return identifiers.has(node.text.trim());
    if (!isText(node) || isImport(node)) return false;
    return references.test(node.text) || addresses.test(node.text) || (targets.has(node.text) && isTarget(node));
  };

  const found: string[] = [];
  walk(tree, (node) => {
    if (!isNamed(node)) return;
    const line = tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;
    found.push(`${path}:${line}: ${node.getText(tree).trim().slice(0, 60)}`);
  });
  return found;
}

function isText(node: ts.Node): node is ts.LiteralLikeNode {
  return ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);
}

function isImport({ parent }: ts.Node): boolean {
  if (ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent)) return true;
  return ts.isCallExpression(parent) && parent.expression.kind === ts.SyntaxKind.ImportKeyword;
}

// `to: 'status'`, as in a relation.
function isTarget({ parent }: ts.Node): boolean {
  return ts.isPropertyAssignment(parent) && /^(to|of|resource)$/.test(parent.name.getText().replace(/['"]/g, ''));
}
