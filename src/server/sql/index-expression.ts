import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
} from 'kysely';
import { quoteLiteral } from './operands';

const compiler = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (database) => new PostgresIntrospector(database),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/**
 * The SQL of an expression for the definition of an index or of a generated column, which cannot have parameters: their
 * values are written into it. Each parameter must be cast to its type.
 */
export function indexExpression(expression: RawBuilder<unknown>): string {
  const { sql, parameters } = expression.compile(compiler);
  if (parameters.length === 0) return sql;
  return sql.replace(/\$(\d+)/g, (_, number: string) => writeValue(parameters[Number(number) - 1]));
}

function writeValue(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  return Array.isArray(value) ? `array[${value.map(writeValue).join(', ')}]` : quoteLiteral(String(value));
}
