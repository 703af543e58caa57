// npx tsx scripts/vocabulary.ts names|messages [FOLDER…]
//
// Prints the words of the program for a review: every exported name with its file, or every text that somebody may read
// (labels, errors, hints, log lines) with its line. The words are listed in docs/CONTRIBUTING.md.
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const [what, ...folders] = process.argv.slice(2);
if (what !== 'names' && what !== 'messages') {
  console.error('Usage: npx tsx scripts/vocabulary.ts names|messages [FOLDER…]');
  process.exit(1);
}

for (const path of (folders.length > 0 ? folders : ['src', 'custom-screens']).flatMap(filesOf)) {
  const tree = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  if (what === 'names') printNames(path, tree);
  else printMessages(path, tree);
}

function filesOf(path: string): string[] {
  if (statSync(path).isFile()) return /\.tsx?$/.test(path) ? [path] : [];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesOf(join(path, name)));
}

function printNames(path: string, tree: ts.SourceFile): void {
  const names = tree.statements.flatMap((statement) => {
    const exported =
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    if (!exported) return [];
    if (ts.isVariableStatement(statement))
      return statement.declarationList.declarations.map(({ name }) => name.getText());
    const { name } = statement as ts.DeclarationStatement;
    return name ? [name.getText()] : [];
  });
  if (names.length > 0) console.log(`${path}: ${names.join(' ')}`);
}

function printMessages(path: string, tree: ts.SourceFile): void {
  const visit = (node: ts.Node): void => {
    const text = textOf(node);
    if (text !== undefined && isMessage(text)) {
      console.log(`${path}:${tree.getLineAndCharacterOfPosition(node.getStart()).line + 1}: ${text}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
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
