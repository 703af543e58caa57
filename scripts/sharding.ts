// `npm run sharding -- postgres://…`: where the tables of an installation go in a database that is spread over several
// servers by company, and what speaks against it. Reads the catalogue alone; ends with 1 if something does.
// docs/operations.md, "By company".
import pino from 'pino';
import { openDatabase } from '../src/server/database/database';
import { placeTables, readCatalogue } from '../src/server/sync/distribution';

const url = process.argv[2] ?? process.env.DATABASE_URL;
if (url === undefined) {
  console.error('Name the database of an installation: npm run sharding -- postgres://…');
  process.exit(1);
}
const database = openDatabase(url, pino({ level: 'silent' }));
const placements = placeTables(await readCatalogue(database.kysely));
await database.close();

const line = (cells: readonly string[]) => console.log(`| ${cells.join(' | ')} |`);
line(['table', 'place', 'fits', 'what speaks against it']);
line(['---', '---', '---', '---']);
for (const { table, location, problems } of placements)
  line([`\`${table.name}\``, location, problems.length === 0 ? 'yes' : 'no', problems.join('; ') || '–']);
const count = (isMatch: (placement: (typeof placements)[number]) => boolean) => placements.filter(isMatch).length;
const problemCount = count(({ problems }) => problems.length > 0);
console.log(`
${placements.length} tables: ${count(({ location }) => location === 'by company')} are spread by company, ${count(({ location }) => location === 'everywhere')} are copied to each server, ${count(({ location }) => location === 'coordinator')} stay on the coordinator; ${problemCount} do not fit.`);
process.exitCode = problemCount === 0 ? 0 : 1;
