// npx tsx scripts/vocabulary.ts names|messages|locals|properties [FOLDER…]
//
// Prints the words of the program for a review: every exported name with its file, every text that somebody may read
// (labels, errors, hints, log lines) with its line, or every local name or property of a type that says nothing when it
// stands alone, with the share of such names in each folder. These words are listed in .oxlintrc.json, and the linter checks the folders that have none.
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'jsonc-parser';
import ts from 'typescript';
import { forbiddenWords } from './lint/plain-words.mjs';

const [kind, ...folders] = process.argv.slice(2);
if (kind !== 'names' && kind !== 'messages' && kind !== 'locals' && kind !== 'properties') {
  console.error('Usage: npx tsx scripts/vocabulary.ts names|messages|locals|properties [FOLDER…]');
  process.exit(1);
}

for (const folder of folders.length > 0 ? folders : ['src', 'custom-screens']) {
  const trees = filesOf(folder).map((path) =>
    ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true),
  );
  if (kind === 'names') trees.forEach(printNames);
  else if (kind === 'messages') trees.forEach(printMessages);
  else printShare(folder, trees, kind === 'locals' ? isLocal : isProperty);
}

function filesOf(path: string): string[] {
  if (statSync(path).isFile()) return /\.tsx?$/.test(path) ? [path] : [];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesOf(join(path, name)));
}

function printNames(tree: ts.SourceFile): void {
  const names = tree.statements.flatMap((statement) => {
    const isExported =
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    if (!isExported) return [];
    if (ts.isVariableStatement(statement))
      return statement.declarationList.declarations.map(({ name }) => name.getText());
    const { name } = statement as ts.DeclarationStatement;
    return name ? [name.getText()] : [];
  });
  if (names.length > 0) console.log(`${tree.fileName}: ${names.join(' ')}`);
}

function printMessages(tree: ts.SourceFile): void {
  const visit = (node: ts.Node): void => {
    const text = textOf(node);
    if (text !== undefined && isMessage(text)) {
      console.log(`${positionOf(node)}: ${text}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
}

/** Constants, variables and parameters, destructured ones among them; the parameters of types of functions are not used. */
function isLocal(node: ts.Node): boolean {
  return (
    ts.isVariableDeclaration(node) ||
    ts.isBindingElement(node) ||
    (ts.isParameter(node) && !ts.isFunctionTypeNode(node.parent) && !ts.isMethodSignature(node.parent))
  );
}

/** Properties and methods of types, interfaces and classes. */
function isProperty(node: ts.Node): boolean {
  return (
    ts.isPropertySignature(node) ||
    ts.isMethodSignature(node) ||
    ts.isPropertyDeclaration(node) ||
    (ts.isMethodDeclaration(node) && ts.isClassLike(node.parent))
  );
}

/** Prints the names of some nodes that say nothing when they stand alone, and how many of all names they are. */
function printShare(folder: string, trees: readonly ts.SourceFile[], isCounted: (node: ts.Node) => boolean): void {
  const { settings } = parse(readFileSync('.oxlintrc.json', 'utf8')) as { settings: { words: Record<string, string> } };
  const words = forbiddenWords(settings.words);
  const names = trees.flatMap((tree) => {
    const identifiers: ts.Identifier[] = [];
    const visit = (node: ts.Node): void => {
      const { name } = node as ts.NamedDeclaration;
      if (name && ts.isIdentifier(name) && isCounted(node)) identifiers.push(name);
      ts.forEachChild(node, visit);
    };
    visit(tree);
    return identifiers;
  });
  const reportedNames = names.filter(({ text }) => words.has(text));
  for (const name of reportedNames) console.log(`${positionOf(name)}: ${name.text}`);
  const share = ((100 * reportedNames.length) / Math.max(names.length, 1)).toFixed(1);
  console.log(`${folder}: ${reportedNames.length} of ${names.length} (${share} %)`);
}

function positionOf(node: ts.Node): string {
  const tree = node.getSourceFile();
  return `${tree.fileName}:${tree.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
}

/** The words of a literal, with `…` for what a template puts in. */
function textOf(node: ts.Node): string | undefined {
  if (ts.isJsxText(node)) return node.text.trim().replace(/\s+/g, ' ');
  if (ts.isStringLiteralLike(node)) return ts.isImportDeclaration(node.parent) ? undefined : node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('…');
}

/** Sentences and labels begin with a capital or hold several words; keys, paths, CSS and SQL do not look like that. */
function isMessage(text: string): boolean {
  if (/^[\s.,:;…()|/-]*$/.test(text) || /^[a-z]+([A-Z_./-]|$)/.test(text) || /[{}<>=]|::/.test(text)) return false;
  if (/^\s*(select|insert|update|delete|with|from|where|and|create|alter|drop)\b/.test(text)) return false;
  return /^[A-Z…"“].*[a-z]/.test(text) || /[a-z] [a-z]+ [a-z]/.test(text);
}
