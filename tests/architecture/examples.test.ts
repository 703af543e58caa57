import ts from 'typescript';
import { expect, test } from 'vitest';
import { parse, type Source, sources, walk } from './sources';

test('functions of the engine, hooks of the application and functions for products have an example', () => {
  expect(withoutExample(sources)).toEqual([]);
});

test.each([
  ['src/engine/a.ts', '/** A. */ export function a() {}', 'src/server/b.ts', ['src/engine/a.ts a']],
  ['src/engine/a.ts', '/** @example a(); */ export function a() {}', 'src/server/b.ts', []],
  ['src/engine/a.ts', 'export function a() {}', 'src/engine/b.ts', []],
  ['src/app/list/a.ts', 'export function useA() {}', 'src/app/form/b.ts', ['src/app/list/a.ts useA']],
  ['src/app/list/a.ts', 'export function useA() {}', 'src/app/list/b.ts', []],
  ['src/app/list/a.ts', 'export function a() {}', 'src/app/form/b.ts', []],
  ['src/server/sql/a.ts', 'export function a() {}', 'src/product/b.ts', ['src/server/sql/a.ts a']],
  ['src/server/sql/a.ts', 'export function a() {}', 'src/server/records/b.ts', []],
])('an export without an example is reported: %s with %s, used by %s', (path, text, user, expected) => {
  const name = text.includes('useA') ? 'useA' : 'a';
  const other = { ...parse(user, `import { ${name} } from './a';`), imports: [path] };
  expect(withoutExample([parse(path, text), other])).toEqual(expected);
});

/** `file name` of the exported functions that others build on and whose comment has no `@example`. */
function withoutExample(all: readonly Source[]): string[] {
  const users = new Map<string, string[]>();
  for (const source of all) {
    for (const use of namedImports(source)) users.set(use, [...(users.get(use) ?? []), source.path]);
  }
  return all.flatMap(({ path, tree }) =>
    tree.statements.flatMap((statement) => {
      if (!ts.isFunctionDeclaration(statement) || !statement.name) return [];
      const use = `${path} ${statement.name.text}`;
      if (!(users.get(use) ?? []).some((user) => isPublicUse(path, statement.name!.text, user))) return [];
      const comments = ts.getJSDocCommentsAndTags(statement).map((comment) => comment.getText());
      return comments.some((text) => text.includes('@example')) ? [] : [use];
    }),
  );
}

function isPublicUse(path: string, name: string, user: string): boolean {
  // Products build on the server and on the application; components show what they are by their properties.
  if (/^(src\/product|custom-screens)\//.test(user) && !/^(src\/product|custom-screens)\//.test(path))
    return !/^[A-Z]/.test(name);
  if (path.startsWith('src/engine/')) return !user.startsWith('src/engine/');
  const folder = path.split('/').slice(0, 3).join('/');
  return path.startsWith('src/app/') && /^use[A-Z]/.test(name) && !user.startsWith(`${folder}/`);
}

/** `file name` of everything that a file imports by its name. */
function namedImports({ tree, imports }: Source): string[] {
  const found: string[] = [];
  let index = 0;
  walk(tree, (node) => {
    const isImport = ts.isImportDeclaration(node) || (ts.isExportDeclaration(node) && node.moduleSpecifier);
    const isDynamic = ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;
    if (isDynamic || ts.isImportTypeNode(node)) index++;
    if (!isImport) return;
    const from = imports[index++]!;
    const bindings = ts.isImportDeclaration(node) ? node.importClause?.namedBindings : node.exportClause;
    if (bindings && (ts.isNamedImports(bindings) || ts.isNamedExports(bindings)))
      found.push(...bindings.elements.map(({ name, propertyName }) => `${from} ${(propertyName ?? name).text}`));
  });
  return found;
}
