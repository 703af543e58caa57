import ts from 'typescript';
import { expect, test } from 'vitest';
import { fieldTypeNames } from '../../src/engine/definitions/definition';
import { parse, type Source, sources, walk } from './sources';

const names: ReadonlySet<string> = new Set(fieldTypeNames);
/** Names that mean nothing but a field type, so a list or a table of them is one of field types. */
const distinctive: ReadonlySet<string> = new Set([
  'richText',
  'textarea',
  'datetime',
  'relations',
  'inverse',
  'shareLink',
]);

/** Where the types are: a module for each, the union of fields, and the folder of each in the application. */
const isRegistry = (path: string) =>
  path.startsWith('src/engine/field-types/') ||
  path.startsWith('src/engine/language/field-types/') ||
  path === 'src/engine/definitions/field.ts' ||
  path.startsWith('src/app/fields/');

/** Comparisons that have to be where they are, with the reason. */
const allowed: Readonly<Record<string, string>> = {};

test('only modules of field types compare with the name of a field type', () => {
  const found = sources
    .filter(({ path }) => !isRegistry(path))
    .flatMap((source) => comparisons(source).map((text) => `${source.path}: ${text}`));
  expect(found.filter((one) => !Object.hasOwn(allowed, one))).toEqual([]);
  expect(Object.keys(allowed).filter((one) => !found.includes(one))).toEqual([]);
});

test.each([
  ["if (field.type === 'relation') go();"],
  ["const is = 'date' !== fields[name]?.type;"],
  ["const is = ({ type }: Field) => type === 'text';"],
  ["switch (field.type) { case 'select': return 1; }"],
  ["const is = ['number', 'duration'].includes(field.type);"],
  ["const wide = new Set(['textarea', 'json', 'inverse']);"],
  ["const labels = { text: 'Text', textarea: 'Long text', number: 'Number' };"],
])('a comparison with the name of a field type is reported: %s', (text) => {
  expect(comparisons(parse('src/engine/lists/a.ts', text))).toHaveLength(1);
});

test.each([
  ["const is = schema.format === 'email';"],
  ["const is = operand.columnType === 'date';"],
  ["const names = ['password', 'email'].includes(name);"],
  ["const account = { email: 'a', password: 'b', phone: 'c' };"],
])('a text that is no comparison with the name of a field type is not reported: %s', (text) => {
  expect(comparisons(parse('src/engine/lists/a.ts', text))).toEqual([]);
});

/** The places of a source that decide something by the name of a field type, as they are written. */
function comparisons({ tree }: Source): string[] {
  const found: string[] = [];
  walk(tree, (node) => {
    if (isComparison(node) || isSwitch(node) || isListOfTypes(node) || isTableOfTypes(node))
      found.push(node.getText(tree).split('\n')[0]!);
  });
  return found;
}

function isComparison(node: ts.Node): boolean {
  if (!ts.isBinaryExpression(node) || !/^[=!]==?$/.test(node.operatorToken.getText())) return false;
  const { left, right } = node;
  return (isName(left) && isType(right)) || (isName(right) && isType(left));
}

function isSwitch(node: ts.Node): boolean {
  if (!ts.isSwitchStatement(node) || !isType(node.expression)) return false;
  return node.caseBlock.clauses.some((clause) => ts.isCaseClause(clause) && isName(clause.expression));
}

/** A list of types, or one that a type is looked up in. */
function isListOfTypes(node: ts.Node): boolean {
  if (!ts.isArrayLiteralExpression(node) || node.elements.length < 2 || !node.elements.every(isName)) return false;
  if (node.elements.some((one) => distinctive.has((one as ts.StringLiteral).text))) return true;
  const call = ts.isPropertyAccessExpression(node.parent) ? node.parent.parent : undefined;
  return call !== undefined && ts.isCallExpression(call) && call.arguments.some(isType);
}

/** A table with an entry for each of several types. */
function isTableOfTypes(node: ts.Node): boolean {
  if (!ts.isObjectLiteralExpression(node) || node.properties.length < 3) return false;
  const keys = node.properties.map(({ name }) => (name && !ts.isComputedPropertyName(name) ? name.text : ''));
  return keys.every((key) => names.has(key)) && keys.some((key) => distinctive.has(key));
}

function isName(node: ts.Node): boolean {
  return ts.isStringLiteralLike(node) && names.has(node.text);
}

/** `type`, `field.type` or `fields[name]!.type`. */
function isType(node: ts.Node): boolean {
  if (ts.isNonNullExpression(node) || ts.isParenthesizedExpression(node)) return isType(node.expression);
  if (ts.isPropertyAccessExpression(node)) return node.name.text === 'type';
  return ts.isIdentifier(node) && node.text === 'type';
}
