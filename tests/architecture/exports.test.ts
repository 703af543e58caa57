import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { others, parse, type Source, sources, walk } from './sources';

/** Exports that something other than an import uses. */
const usedElsewhere = new Map([
  ['src/app/form/plainMarkdown.ts Markdown', 'replaces a component of rjsf in the build'],
  ['src/app/fields/registry.ts registerFieldTypes', 'for products that bring field types'],
  ['src/app/theme/tokens.ts tokensCss', 'generates tokens.css'],
]);

const scripts = readdirSync('scripts', { withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ name }) => readFileSync(`scripts/${name}`, 'utf8'));
const isUsedByScript = (name: string) => scripts.some((text) => text.split(/\W+/).includes(name));

test('every export is used by the program, not by tests alone', () => {
  const unused = unusedExports(sources).filter((one) => !usedElsewhere.has(one) && !isUsedByScript(one.split(' ')[1]!));
  expect(unused).toEqual([]);
});

// Types stay exported: callers of an exported function may name what it takes and gives.
test('a function, constant or class that only its own file uses is not exported', () => {
  const used = new Set([...sources, ...others].flatMap(importedNames));
  const internal = sources.flatMap(({ path, tree }) =>
    exportedNames(tree, isValue)
      .filter((name) => !used.has(`${path} ${name}`) && !used.has(`${path} *`))
      .map((name) => `${path} ${name}`),
  );
  expect(internal.filter((one) => !usedElsewhere.has(one) && !isUsedByScript(one.split(' ')[1]!))).toEqual([]);
});

test.each([
  ['export const a = 1;', [], ['src/a.ts a']],
  ['export const a = 1, b = a;', [], ['src/a.ts b']],
  ['export function a() {}', ["import { a } from './a';"], []],
  ['export class a {}', ["import * as all from './a';"], []],
  ['export const a = 1;', ["const { a } = await import('./a');"], []],
  ['export interface a {}', ["import type { b } from './a';"], ['src/a.ts a']],
])('an export without a use is reported: %s with %j', (text, others, expected) => {
  const files = [parse('src/a.ts', text), ...others.map((other, index) => parse(`src/other-${index}.ts`, other))];
  const imported = files.map((file) => ({ ...file, imports: file.imports.map(() => 'src/a.ts') }));
  expect(unusedExports(imported)).toEqual(expected);
});

/** `file name` of every export that no other file imports and that its own file does not use either. */
function unusedExports(all: readonly Source[]): string[] {
  const used = new Set(all.flatMap(importedNames));
  return all.flatMap(({ path, tree }) => {
    const mentions = new Map<string, number>();
    walk(tree, (node) => {
      if (ts.isIdentifier(node)) mentions.set(node.text, (mentions.get(node.text) ?? 0) + 1);
    });
    return exportedNames(tree)
      .filter((name) => mentions.get(name) === 1 && !used.has(`${path} ${name}`) && !used.has(`${path} *`))
      .map((name) => `${path} ${name}`);
  });
}

function isValue(statement: ts.Statement): boolean {
  return ts.isVariableStatement(statement) || ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement);
}

function exportedNames(tree: ts.SourceFile, isCounted: (statement: ts.Statement) => boolean = () => true): string[] {
  return tree.statements.filter(isCounted).flatMap((statement) => {
    const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
    const has = (kind: ts.SyntaxKind) => modifiers.some((modifier) => modifier.kind === kind);
    if (!has(ts.SyntaxKind.ExportKeyword) || has(ts.SyntaxKind.DefaultKeyword)) return [];
    if (ts.isVariableStatement(statement)) {
      return statement.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []));
    }
    const { name } = statement as ts.DeclarationStatement;
    return name && ts.isIdentifier(name) ? [name.text] : [];
  });
}

/** `file name` of everything that a file imports from others; `file *` where it imports the whole. */
function importedNames({ tree, imports }: Source): string[] {
  const found: string[] = [];
  let index = 0;
  walk(tree, (node) => {
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier) {
      const from = imports[index++]!;
      const bindings = ts.isImportDeclaration(node) ? node.importClause?.namedBindings : node.exportClause;
      const isNamed = bindings && (ts.isNamedImports(bindings) || ts.isNamedExports(bindings));
      const names = isNamed ? bindings.elements.map(({ name, propertyName }) => (propertyName ?? name).text) : ['*'];
      found.push(...names.map((name) => `${from} ${name}`));
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      if (node.arguments[0] && ts.isStringLiteralLike(node.arguments[0])) found.push(`${imports[index++]} *`);
    } else if (ts.isImportTypeNode(node)) found.push(`${imports[index++]} *`);
  });
  return found;
}
