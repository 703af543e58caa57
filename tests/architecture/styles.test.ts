import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

const filesOf = (ending: RegExp) =>
  ['src/app', 'custom-screens'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => ending.test(name))
      .map((name) => join(folder, name).replaceAll('\\', '/')),
  );

/** Sheets of the whole page: sizes and colours, what every element has, and the frame before any script has run. */
const pageSheets = [
  'src/app/brand/frame-skeleton.css',
  'src/app/theme/base.css',
  'src/app/theme/forced-colors.css',
  'src/app/theme/tokens.css',
];
/** Restates classes of modules for contrast themes alone, with weights that do not depend on the order of sheets. */
const contrast = 'src/app/theme/forced-colors.css';

const ofLibraries = /^(Mui|cm-|fc-)/;

const sheets = filesOf(/\.css$/).map((path) => ({ path, ...readSheet(readFileSync(path, 'utf8')) }));
const modules = sheets.filter(({ path }) => path.endsWith('.module.css'));
const ofPage = new Set(
  sheets.filter(({ path }) => pageSheets.includes(path) && path !== contrast).flatMap(({ own }) => [...own]),
);
const sources = filesOf(/\.tsx?$/).map((path) => ({ path, ...readSource(path, readFileSync(path, 'utf8')) }));

test('only the sheets of the page are global', () => {
  expect(modules.length).toBeGreaterThan(50);
  expect(sheets.filter((sheet) => !modules.includes(sheet)).map(({ path }) => path)).toEqual(pageSheets);
  expect(modules.flatMap(({ own }) => [...own].filter((name) => ofPage.has(name)))).toEqual([]);
});

// A class of ours would style their part: `.list-page` once made each of their lists as high as a button.
test('no class is one that react-admin gives the parts of its own screens', () => {
  const stock =
    /^(ra-.*|(list|create|edit|show)-page|(create|edit|show)-(content|actions)|bulk-actions-toolbar|filter-field)$/;
  expect(sheets.flatMap(({ own }) => [...own].filter((name) => stock.test(name)))).toEqual([]);
});

test('a class that a source names exists in its sheet', () => {
  const missing = sources.flatMap(({ path, names }) =>
    names
      .filter(([sheet, name]) => ![...ownOf(sheet)].some((one) => toCamel(one) === name))
      .map(([sheet, name]) => `${path}: ${name} of ${sheet}`),
  );
  expect(missing).toEqual([]);
});

test('a class of a module is used', () => {
  const used = new Set(sources.flatMap(({ names }) => names.map(([sheet, name]) => `${sheet} ${name}`)));
  const unused = modules.flatMap(({ path, own }) =>
    [...own].filter((name) => !used.has(`${path} ${toCamel(name)}`)).map((name) => `${path}: ${name}`),
  );
  expect(unused).toEqual([]);
});

test('a class written as text is one of the page', () => {
  const unknown = sources.flatMap(({ path, texts }) =>
    texts.filter((name) => !ofPage.has(name)).map((name) => `${path}: ${name}`),
  );
  expect(unknown).toEqual([]);
});

// Sheets of screens stay once they were loaded. A part has its variants in its own sheet: a data attribute, a custom
// property that its surroundings set, or a class that is passed to it.
test('a module names no class of another module', () => {
  const outerClasses = modules.flatMap(({ path, outer }) => [...outer].map((name) => ({ path, name })));
  expect(outerClasses.filter(({ name }) => !ofLibraries.test(name) && !ofPage.has(name))).toEqual([]);
});

// A class that two modules define has another name in each of them, so that no rule for contrast themes matches it.
test('contrast themes restate classes of one module or of the page', () => {
  const { own } = sheets.find(({ path }) => path === contrast)!;
  const modulesOf = (name: string) => modules.filter((sheet) => sheet.own.has(name)).map(({ path }) => path);
  const unmatched = [...own].filter(
    (name) => !ofLibraries.test(name) && !ofPage.has(name) && modulesOf(name).length !== 1,
  );
  expect(unmatched.map((name) => [name, modulesOf(name)])).toEqual([]);
});

test.each([
  ['.ring { color: red }', ['ring'], []],
  ['@media (max-width: 1px) { .ring, .box .ring { } }', ['ring', 'box'], []],
  ['/* .old { } */ .box:not(.ring) > :global(.MuiPaper-root.wide) { }', ['box', 'ring'], ['MuiPaper-root', 'wide']],
])('%s', (text, own, outer) => {
  const sheet = readSheet(text);
  expect([[...sheet.own], [...sheet.outer]]).toEqual([own, outer]);
});

test('what a source names is read', () => {
  const source = readSource(
    'src/app/box/Box.tsx',
    `import * as styles from './box.module.css';
    import * as listStyles from '../list/list.module.css';
    const Box = () => <p className={wide ? \`\${styles.box} num\` : 'unseen'}>{listStyles.gridRow}</p>;`,
  );
  expect(source.names).toEqual([
    ['src/app/box/box.module.css', 'box'],
    ['src/app/list/list.module.css', 'gridRow'],
  ]);
  expect(source.texts).toEqual(['num', 'unseen']);
});

/** The classes that a sheet's selectors name: its own, and those within `:global()`. */
function readSheet(text: string): { own: Set<string>; outer: Set<string> } {
  const selectors = [...text.replace(/\/\*[^]*?\*\//g, '').matchAll(/([^{};]+)\{/g)].map(([, selector]) => selector!);
  const global = /:global\(((?:[^()]|\([^()]*\))*)\)/g;
  const classes = (of: string) => [...of.matchAll(/\.(-?[a-z_][\w-]*)/gi)].map(([, name]) => name!);
  return {
    own: new Set(selectors.flatMap((selector) => classes(selector.replace(global, '')))),
    outer: new Set(selectors.flatMap((selector) => [...selector.matchAll(global)].flatMap(([, of]) => classes(of!)))),
  };
}

/** The classes of modules that a source names, each with its sheet, and the ones that its `className`s write as text. */
function readSource(path: string, text: string): { names: [sheet: string, name: string][]; texts: string[] } {
  const sheetOf = new Map<string, string>();
  for (const [, name, from] of text.matchAll(/^ *import \* as (\w+) from '([^']+\.module\.css)';/gm))
    sheetOf.set(name!, posix.normalize(posix.join(dirname(path), from!)));
  const names: [string, string][] = [];
  const texts: string[] = [];
  const visit = (node: ts.Node, inClass: boolean) => {
    if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression) && sheetOf.has(node.expression.text))
      names.push([sheetOf.get(node.expression.text)!, node.name.text]);
    const isText = ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);
    if (inClass && isText) texts.push(...node.text.split(/\s+/).filter(Boolean));
    if (ts.isConditionalExpression(node)) {
      visit(node.condition, false);
      visit(node.whenTrue, inClass);
      visit(node.whenFalse, inClass);
    } else node.forEachChild((child) => visit(child, inClass || (ts.isJsxAttribute(node) && isClassName(node))));
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX), false);
  return { names, texts };
}

function isClassName({ name }: ts.JsxAttribute): boolean {
  return ts.isIdentifier(name) && name.text === 'className';
}

function ownOf(path: string): Set<string> {
  return modules.find((sheet) => sheet.path === path)?.own ?? new Set();
}

function toCamel(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
