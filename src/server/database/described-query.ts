import pg from 'pg';
import type { ResultFormat } from './json-rows';

/** A prepared statement whose result columns are known. */
export interface DescribedStatement extends Partial<ResultFormat> {
  readonly name: string;
  readonly text: string;
  readonly values: unknown[];
  readonly columns: readonly pg.FieldDef[];
}

/** The driver's connection, with what its types leave out. */
type Connection = pg.Connection & { describe(portal: unknown): void };

/** The driver's query, with what its types leave out. */
type DriverQuery = pg.Submittable & {
  prepare(connection: Connection): void;
  handleRowDescription(description: { readonly fields: readonly pg.FieldDef[] }): void;
};
type Callback = (error: Error | null, result: pg.QueryResult) => void;

const Query = pg.Query as unknown as new (config: object, callback: Callback) => DriverQuery;

/** Connections that skip describing columns. */
const silentConnections = new WeakMap<Connection, Connection>();

function withoutDescribing(connection: Connection): Connection {
  let silentConnection = silentConnections.get(connection);
  if (!silentConnection) {
    silentConnection = Object.create(connection, { describe: { value: () => undefined } }) as Connection;
    silentConnections.set(connection, silentConnection);
  }
  return silentConnection;
}

class DescribedQuery extends Query {
  constructor(
    private readonly statement: DescribedStatement,
    callback: Callback,
  ) {
    super(statement, callback);
  }

  override prepare(connection: Connection): void {
    this.handleRowDescription({ fields: this.statement.columns });
    super.prepare(withoutDescribing(connection));
  }
}

/**
 * Runs a prepared statement without describing its columns again, which for wide results is as much data as the rows.
 * The columns can't differ: PostgreSQL refuses to run a prepared statement whose result type has changed.
 */
export function runDescribed(client: pg.PoolClient, statement: DescribedStatement): Promise<pg.QueryResult> {
  return new Promise((resolve, fail) => {
    client.query(new DescribedQuery(statement, (error, result) => (error ? fail(error) : resolve(result))));
  });
}
