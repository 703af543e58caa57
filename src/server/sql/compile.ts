import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
} from 'kysely';

const compiler = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (database) => new PostgresIntrospector(database),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/** Compiles an expression for an index definition, where parameters are not allowed. Throws if it has any. */
export function compileWithoutParameters(expression: RawBuilder<unknown>): string {
  const { sql, parameters } = expression.compile(compiler);
  if (parameters.length > 0) throw new Error(`An index definition can't contain parameters: ${sql}`);
  return sql;
}
