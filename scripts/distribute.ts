// `npm run distribute -- postgres://…`: the statements that spread the tables of a fresh installation over the servers of a
// Citus cluster by company, in their order; with `--apply` they are executed, in one transaction. The address is that of
// the coordinator, to which the workers were added. docs/operations.md, "By company".
import pino from 'pino';
import { sql } from 'kysely';
import { openDatabase } from '../src/server/database/database';
import { distributionStatements, isCluster, placeTables, readCatalogue } from '../src/server/sync/distribution';

const options = process.argv.slice(2);
const isApplied = options.includes('--apply');
const url = options.find((option) => !option.startsWith('--')) ?? process.env.DATABASE_URL;
if (url === undefined) {
  console.error('Name the database of an installation: npm run distribute -- postgres://… [--apply]');
  process.exit(1);
}
const database = openDatabase(url, pino({ level: 'silent' }));
try {
  const placements = placeTables(await readCatalogue(database.kysely));
  const misfits = placements.filter(({ problems }) => problems.length > 0);
  if (misfits.length > 0)
    throw new Error(
      `Not every table can be spread: ${misfits.map(({ table, problems }) => `${table.name} ${problems.join(', ')}`).join('; ')}.`,
    );
  const statements = distributionStatements(placements);
  for (const statement of statements) console.log(`${statement};`);
  if (isApplied) {
    if (!(await isCluster(database.kysely)))
      throw new Error('This database is not the coordinator of a cluster: create the extension citus there first.');
    await database.transaction(async (trx) => {
      for (const statement of statements) await sql.raw(statement).execute(trx);
    });
    console.error(`${statements.length} statements were executed.`);
  }
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
} finally {
  await database.close();
}
