import pg from 'pg';
import type { ResultForm } from './json-rows';

/** A statement that its connection has prepared under a name, and the columns that it is known to answer with. */
export interface Described extends Partial<ResultForm> {
  readonly name: string;
  readonly text: string;
  readonly values: unknown[];
  readonly columns: readonly pg.FieldDef[];
}

/** The driver's connection, as far as its types leave it out. */
type Connection = pg.Connection & { describe(portal: unknown): void };

/** The driver's query, as far as its types leave it out. */
type DriverQuery = pg.Submittable & {
  prepare(connection: Connection): void;
  handleRowDescription(description: { readonly fields: readonly pg.FieldDef[] }): void;
};
type Callback = (error: Error | null, result: pg.QueryResult) => void;

const Query = pg.Query as unknown as new (config: object, callback: Callback) => DriverQuery;

/** Connections that leave out to ask for a description. */
const silent = new WeakMap<Connection, Connection>();

function withoutDescribing(connection: Connection): Connection {
  let found = silent.get(connection);
  if (!found) {
    found = Object.create(connection, { describe: { value: () => undefined } }) as Connection;
    silent.set(connection, found);
  }
  return found;
}

class DescribedQuery extends Query {
  constructor(
    private readonly asked: Described,
    callback: Callback,
  ) {
    super(asked, callback);
  }

  override prepare(connection: Connection): void {
    this.handleRowDescription({ fields: this.asked.columns });
    super.prepare(withoutDescribing(connection));
  }
}

/**
 * Runs a prepared statement without having its columns described again, which for wide answers is as much to send and to
 * read as the rows are. The columns stay what they were: PostgreSQL refuses to run a prepared statement that would answer
 * with others.
 */
export function runDescribed(client: pg.PoolClient, asked: Described): Promise<pg.QueryResult> {
  return new Promise((done, fail) => {
    client.query(new DescribedQuery(asked, (error, result) => (error ? fail(error) : done(result))));
  });
}
