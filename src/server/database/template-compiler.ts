import {
  PostgresDialect,
  PostgresQueryCompiler,
  type CompiledQuery,
  type OperationNode,
  type QueryCompiler,
  type QueryId,
  type RawNode,
  type RootOperationNode,
  type ValueNode,
} from 'kysely';

/** Texts of templates, which are one object for each place in the code. */
const texts = new WeakMap<readonly string[], string>();

/**
 * Compiles as Kysely does, except that a template that contains nothing but values is compiled once: its text is the same
 * each time.
 */
class TemplateCompiler extends PostgresQueryCompiler {
  override compileQuery(node: RootOperationNode, queryId: QueryId): CompiledQuery {
    if (!isPlainTemplate(node)) return super.compileQuery(node, queryId);
    const text = texts.get(node.sqlFragments);
    if (text === undefined) {
      const compiled = super.compileQuery(node, queryId);
      texts.set(node.sqlFragments, compiled.sql);
      return compiled;
    }
    return { query: node, queryId, sql: text, parameters: node.parameters.map((one) => (one as ValueNode).value) };
  }
}

function isPlainTemplate(node: RootOperationNode): node is RawNode {
  return node.kind === 'RawNode' && 'raw' in node.sqlFragments && node.parameters.every(isBoundValue);
}

function isBoundValue(node: OperationNode): boolean {
  return node.kind === 'ValueNode' && !(node as ValueNode).immediate;
}

/** Kysely's dialect of PostgreSQL with this compiler. */
export class TemplateDialect extends PostgresDialect {
  override createQueryCompiler(): QueryCompiler {
    return new TemplateCompiler();
  }
}
