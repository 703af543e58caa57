// @module-tag slow
import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { parse } from '../architecture/sources';

interface Example {
  readonly path: string;
  readonly code: string;
  /** The comment after it. */
  readonly result: string;
}

const paths = readdirSync('src/engine', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => `src/engine/${name.replaceAll('\\', '/')}`);

/** The examples of a file that need nothing but what it exports, and name their result. */
function examplesOf(path: string, exported: ReadonlySet<string>): Example[] {
  const { text } = parse(path, readFileSync(path, 'utf8'));
  const found = [...text.matchAll(/@example(?:\n \*)? (.+?); \/\/ (.+)/g)];
  return found
    .map(([, code, result]) => ({ path, code: code!, result: result! }))
    .filter(({ code, result }) => isExpression(result, new Set()) && isExpression(code, exported));
}

/** Whether a text is one expression whose names are known. */
function isExpression(text: string, names: ReadonlySet<string>): boolean {
  const tree = ts.createSourceFile('example.ts', `(${text})`, ts.ScriptTarget.Latest, true);
  const { parseDiagnostics } = tree as unknown as { parseDiagnostics: readonly unknown[] };
  if (parseDiagnostics.length > 0 || tree.statements.length !== 1) return false;
  let isKnown = true;
  const visit = (node: ts.Node): void => {
    const isName =
      ts.isIdentifier(node) &&
      !(ts.isPropertyAccessExpression(node.parent) && node.parent.name === node) &&
      !(ts.isPropertyAssignment(node.parent) && node.parent.name === node);
    if (isName && node.text !== 'undefined' && !names.has(node.text)) isKnown = false;
    node.forEachChild(visit);
  };
  visit(tree);
  return isKnown;
}

const modules = await Promise.all(
  paths.map(async (path) => ({
    path,
    exported: (await import(/* @vite-ignore */ `../../${path}`)) as Record<string, unknown>,
  })),
);
const examples = modules.flatMap(({ path, exported }) =>
  examplesOf(path, new Set(Object.keys(exported))).map((example) => ({ ...example, exported })),
);

describe('examples in the documentation of the engine are true', () => {
  test.each(examples)('$path: $code', ({ code, result, exported }) => {
    const run = (text: string): unknown =>
      new Function(...Object.keys(exported), `return (${text});`)(...Object.values(exported));
    expect(run(code)).toEqual(run(result));
  });

  test('are many, and a false one is reported', () => {
    expect(examples.length).toBeGreaterThan(80);
    expect(isExpression('parse(1)', new Set(['parse']))).toBe(true);
    expect(isExpression('parse(definition)', new Set(['parse']))).toBe(false);
    expect(isExpression('1, as a month', new Set())).toBe(false);
  });
});
