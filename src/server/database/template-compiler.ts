import {
  PostgresDialect,
  PostgresQueryCompiler,
  type CompiledQuery,
  type IdentifierNode,
  type OperationNode,
  type QueryCompiler,
  type QueryId,
  type RawNode,
  type RootOperationNode,
  type ValueNode,
} from 'kysely';
import { createByteCache } from '../limits/byte-cache';

/** Texts by the shape of their templates. */
const texts = createByteCache<string>(8_000_000);
/** The longest shape whose text is kept: longer ones are lists that hardly come twice. */
const maxShapeLength = 20_000;

/** Numbers of templates, which are one object for each place in the code. */
const templateNumbers = new WeakMap<readonly string[], number>();
let lastTemplate = 0;

/**
 * Compiles as Kysely does, except that templates within one another are compiled once for each shape: the text follows
 * from which templates these are and from the names and literals in them, whatever the values are. Finding the shape
 * costs a fraction of writing the text.
 */
class TemplateCompiler extends PostgresQueryCompiler {
  override compileQuery(node: RootOperationNode, queryId: QueryId): CompiledQuery {
    const parameters: unknown[] = [];
    const shape = shapeOf(node, parameters);
    if (shape === undefined || shape.length > maxShapeLength) return super.compileQuery(node, queryId);
    const text = texts.get(shape);
    if (text !== undefined) return { query: node, queryId, sql: text, parameters };
    const compiledQuery = super.compileQuery(node, queryId);
    texts.set(shape, compiledQuery.sql);
    return compiledQuery;
  }
}

/** The shape of a statement, with its values added to `parameters`; undefined if it is not made of templates alone. */
function shapeOf(node: OperationNode, parameters: unknown[]): string | undefined {
  if (node.kind === 'IdentifierNode') return JSON.stringify((node as IdentifierNode).name);
  if (node.kind === 'ValueNode') {
    const { value, immediate } = node as ValueNode;
    if (immediate) return isLiteral(value) ? `=${JSON.stringify(value)}` : undefined;
    parameters.push(value);
    return '?';
  }
  if (node.kind !== 'RawNode') return undefined;
  const { sqlFragments, parameters: parts } = node as RawNode;
  let shape = 'raw' in sqlFragments ? numberOf(sqlFragments) : JSON.stringify(sqlFragments);
  shape += '(';
  for (const part of parts) {
    const inner = shapeOf(part, parameters);
    if (inner === undefined) return undefined;
    shape += `${inner},`;
  }
  return `${shape})`;
}

function isLiteral(value: unknown): boolean {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

function numberOf(template: readonly string[]): string {
  let number = templateNumbers.get(template);
  if (number === undefined) templateNumbers.set(template, (number = ++lastTemplate));
  return String(number);
}

/** Kysely's dialect of PostgreSQL with this compiler. */
export class TemplateDialect extends PostgresDialect {
  override createQueryCompiler(): QueryCompiler {
    return new TemplateCompiler();
  }
}
