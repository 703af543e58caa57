import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import ts from 'typescript';

/** A source file, read and parsed. */
export interface Source {
  /** From the project's folder, with `/`. */
  path: string;
  text: string;
  tree: ts.SourceFile;
  /** What it imports, types too: a path from the project's folder for a file of ours, else the name of the package. */
  imports: string[];
}

const root = process.cwd();

/** Every TypeScript file of the program itself. */
export const sources: Source[] = ['src', 'custom-screens'].flatMap(filesBelow).map(read);

/** What stands around the program: tests, measurements and scripts. */
export const others: Source[] = ['tests', 'bench', 'scripts'].flatMap(filesBelow).map(read);

/** Tests that know the fixture product alone: of the engine, the server and the generic parts of the application. */
export const engineTests: Source[] = others.filter(({ path }) =>
  /^tests\/(engine|fixtures|server|app(?!\/product\/))\//.test(path),
);

/** A source from its text, as if it stood at `path`. */
export function parse(path: string, text: string): Source {
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  return { path, text, tree, imports: specifiers(tree).map((specifier) => resolveImport(path, specifier)) };
}

/** Calls `visit` for a node and all below it. */
export function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  node.forEachChild((child) => walk(child, visit));
}

function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'));
}

function read(path: string): Source {
  return parse(path, readFileSync(path, 'utf8'));
}

function specifiers(tree: ts.SourceFile): string[] {
  const found: string[] = [];
  walk(tree, (node) => {
    const named = ts.isImportDeclaration(node) || ts.isExportDeclaration(node) ? node.moduleSpecifier : undefined;
    const dynamic = ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;
    const specifier = named ?? (dynamic ? node.arguments[0] : undefined);
    if (specifier && ts.isStringLiteralLike(specifier)) found.push(specifier.text);
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument) && ts.isStringLiteral(node.argument.literal)) {
      found.push(node.argument.literal.text);
    }
  });
  return found;
}

function resolveImport(from: string, specifier: string): string {
  if (!specifier.startsWith('.')) return specifier;
  const base = join(dirname(from), specifier).split(sep).join('/');
  const endings = ['', '.ts', '.tsx', '/index.ts', '/index.tsx'];
  const file = endings
    .map((ending) => base + ending)
    .find((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
  return file ?? base;
}
