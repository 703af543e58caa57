import Fastify from 'fastify';
import pg from 'pg';
import { valueTypes } from '../src/server/database/value-parsers';
import { connections } from './load';
import { floorName, type FloorOptions } from './floor';

/**
 * The minimum for the same response: a bare Fastify route that runs the given prepared statements and writes the last
 * rows as JSON. A separate process, like the program, configured by its parent.
 */
async function serve({ url, statements, marker, keep }: FloorOptions): Promise<number> {
  const pool = new pg.Pool({ connectionString: url, max: connections, types: valueTypes });
  const prepared = statements.map(({ text, values }, index) => ({
    text,
    values,
    name: values.length > 0 ? `s${index}` : undefined,
  }));
  const run = async (word: string, newName = ''): Promise<unknown[]> => {
    const client = await pool.connect();
    try {
      let rows: unknown[] = [];
      for (const { name, text, values } of prepared) {
        const boundValues = values.map(
          (value) => value?.replaceAll(marker, word)?.replaceAll(floorName, newName) ?? null,
        );
        const result = await client.query(name === undefined ? text : { name, text, values: boundValues });
        if (result.rows.length > 0) rows = result.rows;
      }
      return rows;
    } finally {
      client.release();
    }
  };
  const app = Fastify();
  app.get<{ Params: { word: string } }>('/:word', async (request, reply) => {
    const rows = await run(request.params.word);
    reply.header('Content-Range', `rows 0-${rows.length - 1}/${rows.length}`);
    return keep === 'one' ? rows[0] : rows;
  });
  app.post<{ Body: { name: string } }>('/', async (request, reply) => {
    const rows = await run(request.body.name);
    return reply.code(201).send(rows[0]);
  });
  app.put<{ Params: { word: string }; Body: { name: string } }>('/:word', async (request) => {
    const rows = await run(request.params.word, request.body.name);
    return rows[0];
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  process.once(
    'SIGTERM',
    () =>
      void app
        .close()
        .then(() => pool.end())
        .then(() => process.exit(0)),
  );
  return (app.server.address() as { port: number }).port;
}

process.once('message', (order: FloorOptions) => void serve(order).then((port) => process.send!(port)));
