// `npm run sharding -- postgres://…`: what the tables of an installation mean for a PostgreSQL that is spread over
// several servers by company: which have the company's id in their rows, keys and unique indexes, and which references
// lead where. Reads the catalogue alone. docs/operations.md, "Past one database server".
import pg from 'pg';

const url = process.argv[2] ?? process.env.DATABASE_URL;
if (url === undefined) {
  console.error('Name the database of an installation: npm run sharding -- postgres://…');
  process.exit(1);
}
const client = new pg.Client({ connectionString: url });
await client.connect();
const { rows } = await client.query<{
  name: string;
  company: boolean;
  key: string | null;
  identity: boolean;
  unique: string[];
  references: string[];
  triggers: string[];
}>(`
  select c.oid::regclass::text as name,
    exists (select from pg_attribute where attrelid = c.oid and attname = 'site_id' and not attisdropped) as company,
    (select pg_get_constraintdef(oid) from pg_constraint where conrelid = c.oid and contype = 'p') as key,
    exists (select from pg_attribute where attrelid = c.oid and attidentity <> '') as identity,
    array(select substring(pg_get_indexdef(indexrelid) from '\\(.*') from pg_index
      where indrelid = c.oid and indisunique and not indisprimary) as unique,
    array(select distinct confrelid::regclass::text from pg_constraint
      where conrelid = c.oid and contype = 'f' order by 1) as "references",
    array(select tgname::text from pg_trigger where tgrelid = c.oid and not tgisinternal) as triggers
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'r' and n.nspname in ('public', 'assay') order by n.nspname desc, c.relname`);
await client.end();

const companies = new Set(rows.filter(({ company }) => company).map(({ name }) => name));
const pairs = new Set(rows.filter(({ name }) => name.includes('__')).map(({ name }) => name));
const line = (cells: readonly string[]) => console.log(`| ${cells.join(' | ')} |`);
line([
  'table',
  'company in the row',
  'company in the key',
  'unique without the company',
  'refers to tables of companies',
]);
line(['---', '---', '---', '---', '---']);
for (const { name, company, key, unique, references } of rows) {
  const indexesWithoutCompany = unique.filter((columns) => !columns.includes('site_id'));
  const referencesAcross = references.filter((target) => companies.has(target) || pairs.has(target));
  const cells = [
    company ? 'yes' : 'no',
    key?.includes('site_id') ? 'yes' : 'no',
    indexesWithoutCompany.join('; ') || '–',
  ];
  line([
    `\`${name}\``,
    ...cells,
    referencesAcross.length === 0 ? '–' : referencesAcross.map((target) => `\`${target}\``).join(', '),
  ]);
}
const count = (isMatch: (row: (typeof rows)[number]) => boolean) => rows.filter(isMatch).length;
console.log(`
${rows.length} tables: ${count(({ company }) => company)} have the company in their rows, ${count(({ key }) => key?.includes('site_id') ?? false)} in their key;
${count(({ identity }) => identity)} number their rows by a sequence; ${count(({ references }) => references.length > 0)} have foreign keys, all on id alone; triggers: ${rows.flatMap(({ triggers }) => triggers).join(', ') || 'none'}.`);
