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

/** The text of an expression that may stand in the definition of an index, which knows no parameters. */
export function compileWithoutParameters(expression: RawBuilder<unknown>): string {
  const { sql, parameters } = expression.compile(compiler);
  if (parameters.length > 0) throw new Error(`An index cannot hold parameters: ${sql}`);
  return sql;
}
