import { sql } from 'kysely';
import type { Queries } from '../database/database';
import { quoteText } from '../database/identifiers';

/**
 * Where a table is in a database that is spread over servers by company: its rows with their company, as a copy on each
 * server, or on the coordinator alone.
 */
export type TableLocation = 'by company' | 'everywhere' | 'coordinator';

/** A table, as the catalogue has it. */
export interface CatalogueTable {
  /** With its schema, quoted. */
  readonly name: string;
  readonly schema: 'public' | 'assay';
  readonly plainName: string;
  readonly hasCompany: boolean;
  /** The columns of the primary key; empty without one. */
  readonly key: readonly string[];
  /** The columns of each other unique index or exclusion constraint. */
  readonly unique: readonly (readonly string[])[];
  readonly references: readonly Reference[];
  readonly triggers: readonly string[];
  /** Whether the cluster has it on its servers already. */
  readonly isPlaced: boolean;
}

/** A foreign key. */
export interface Reference {
  readonly constraint: string;
  readonly target: string;
  readonly columns: readonly string[];
  /** As `alter table … add constraint …` takes it. */
  readonly definition: string;
}

/** A table with its location, and everything that speaks against it, in words. */
export interface TablePlacement {
  readonly table: CatalogueTable;
  readonly location: TableLocation;
  readonly problems: readonly string[];
}

const accounts = 'found by a hash, an address or a person before the company is known';
const installation = 'about the installation as a whole';
const queues = 'a queue that all servers take from, or how far its work is';

/** The engine's tables that stay on the coordinator, with the reason: no statement about records of a company reads them beside these. */
const coordinatorTables: Readonly<Record<string, string>> = {
  address_changes: accounts,
  attempts: accounts,
  authenticators: accounts,
  challenges: accounts,
  codes: accounts,
  confirmed_addresses: accounts,
  identities: accounts,
  identity_domains: accounts,
  identity_providers: accounts,
  known_networks: accounts,
  passkeys: accounts,
  recovery_codes: accounts,
  sign_in_guards: accounts,
  sign_on_flows: accounts,
  tokens: accounts,
  trusted_devices: accounts,
  service_accounts: accounts,
  service_scopes: accounts,
  public_forms: accounts,
  files: accounts,
  grants: installation,
  meta: installation,
  migrations: installation,
  module_drafts: installation,
  module_versions: installation,
  modules: installation,
  releases: installation,
  seeded_modules: installation,
  servers: installation,
  shipped_rows: installation,
  security_log: installation,
  notice_choices: 'about a person, whose notifications of all kinds are sent from one place',
  user_preferences: 'about a person, read at every sign-in',
  presence: 'forgotten after a minute',
  sequences: 'counters, each taken by a statement of its own',
  automation_runs: queues,
  automation_schedules: queues,
  import_failures: queues,
  jobs: queues,
  mails: queues,
  periodic_work: queues,
  webhook_deliveries: queues,
  webhook_secrets: queues,
};

/** Reads the tables of an installation from the catalogue. */
export async function readCatalogue(queries: Queries): Promise<CatalogueTable[]> {
  const { rows } = await sql<Omit<CatalogueTable, 'isPlaced'>>`
    select format('%I.%I', n.nspname, c.relname) as name, n.nspname as schema, c.relname as "plainName",
      exists (select from pg_attribute where attrelid = c.oid and attname = 'site_id' and not attisdropped) as "hasCompany",
      coalesce((select json_agg(a.attname order by k.place) from pg_constraint p
        cross join lateral unnest(p.conkey) with ordinality as k (number, place)
        join pg_attribute a on a.attrelid = c.oid and a.attnum = k.number
        where p.conrelid = c.oid and p.contype = 'p'), '[]') as key,
      coalesce((select json_agg((select coalesce(json_agg(a.attname), '[]') from pg_attribute a
          where a.attrelid = c.oid and a.attnum = any(i.indkey::smallint[])) order by i.indexrelid)
        from pg_index i where i.indrelid = c.oid and (i.indisunique or i.indisexclusion) and not i.indisprimary), '[]') as unique,
      coalesce((select json_agg(json_build_object('constraint', f.conname, 'definition', pg_get_constraintdef(f.oid),
          'target', format('%I.%I', tn.nspname, t.relname), 'columns', (select json_agg(a.attname order by k.place)
            from unnest(f.conkey) with ordinality as k (number, place)
            join pg_attribute a on a.attrelid = c.oid and a.attnum = k.number)) order by f.conname)
        from pg_constraint f join pg_class t on t.oid = f.confrelid join pg_namespace tn on tn.oid = t.relnamespace
        where f.conrelid = c.oid and f.contype = 'f' and f.conparentid = 0), '[]') as "references",
      coalesce((select json_agg(tgname order by tgname) from pg_trigger where tgrelid = c.oid and not tgisinternal), '[]') as triggers
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and not c.relispartition and n.nspname in ('public', 'assay')
    order by n.nspname desc, c.relname`.execute(queries);
  const placedNames = await readPlacedNames(queries);
  return rows.map((row) => ({
    ...row,
    references: row.references.map((reference) => ({
      ...reference,
      // PostgreSQL leaves out the schema of what its path finds.
      definition: reference.definition.replace(/ REFERENCES [^(]+\(/, ` REFERENCES ${reference.target}(`),
    })),
    isPlaced: placedNames.has(row.name),
  }));
}

/** Whether the database is the coordinator of a cluster that spreads tables. */
export async function isCluster(queries: Queries): Promise<boolean> {
  const { rows } = await sql`select from pg_proc where proname = 'create_distributed_table' limit 1`.execute(queries);
  return rows.length > 0;
}

async function readPlacedNames(queries: Queries): Promise<ReadonlySet<string>> {
  if (!(await isCluster(queries))) return new Set();
  const { rows } = await sql<{ name: string }>`select format('%I.%I', n.nspname, c.relname) as name
    from pg_dist_partition d join pg_class c on c.oid = d.logicalrelid
    join pg_namespace n on n.oid = c.relnamespace`.execute(queries);
  return new Set(rows.map(({ name }) => name));
}

/**
 * The location of each table, and what its key, indexes, references and triggers have against that.
 *
 * @example placeTables(await readCatalogue(kysely)).filter(({ problems }) => problems.length > 0); // []
 */
export function placeTables(tables: readonly CatalogueTable[]): TablePlacement[] {
  const locations = new Map(tables.map((table) => [table.name, locationOf(table)]));
  return tables.map((table) => {
    const location = locations.get(table.name)!;
    return { table, location, problems: problemsOf(table, location, locations) };
  });
}

function locationOf({ schema, key, hasCompany, references }: CatalogueTable): TableLocation {
  const hasCompanyKey =
    key.includes('site_id') ||
    (key.length === 0 && hasCompany && references.some(({ columns }) => columns.includes('site_id')));
  if (hasCompanyKey) return 'by company';
  return schema === 'public' ? 'everywhere' : 'coordinator';
}

function problemsOf(
  { schema, plainName, unique, references, triggers }: CatalogueTable,
  location: TableLocation,
  locations: ReadonlyMap<string, TableLocation>,
): string[] {
  const problems: string[] = [];
  if (location === 'coordinator' && schema === 'assay' && !Object.hasOwn(coordinatorTables, plainName))
    problems.push('its key has no company, and nothing says why it has none');
  const openIndexes = location === 'by company' ? unique.filter((columns) => !columns.includes('site_id')) : [];
  for (const columns of openIndexes) problems.push(`unique (${columns.join(', ')}) without the company`);
  for (const { columns, target } of references) {
    if (locations.get(target) === 'by company' && (location !== 'by company' || !columns.includes('site_id')))
      problems.push(`refers to ${target} without the company`);
    if (locations.get(target) === 'coordinator' && location !== 'coordinator')
      problems.push(`refers to ${target}, which stays on the coordinator`);
  }
  if (location !== 'coordinator' && triggers.length > 0) problems.push(`has triggers: ${triggers.join(', ')}`);
  return problems;
}

/**
 * The statements that spread tables which the cluster does not have yet over its servers: foreign keys are taken off, copies
 * come before what is spread by company, and the keys are added again. On the coordinator of a Citus cluster, in one transaction.
 */
export function distributionStatements(placements: readonly TablePlacement[]): string[] {
  const pendingTables = placements.filter(({ table, location }) => location !== 'coordinator' && !table.isPlaced);
  const pendingNames = new Set(pendingTables.map(({ table }) => table.name));
  const keys = placements.flatMap(({ table }) =>
    table.references
      .filter(({ target }) => pendingNames.has(table.name) || pendingNames.has(target))
      .map((reference) => ({ ...reference, table: table.name })),
  );
  const ofCompanies = pendingTables.filter(({ location }) => location === 'by company').map(({ table }) => table.name);
  const firstTable =
    placements.find(({ location, table }) => location === 'by company' && table.isPlaced)?.table.name ?? ofCompanies[0];
  return [
    ...keys.map(({ table, constraint }) => `alter table ${table} drop constraint "${constraint}"`),
    ...pendingTables
      .filter(({ location }) => location === 'everywhere')
      .map(({ table }) => `select create_reference_table(${quoteText(table.name)})`),
    ...ofCompanies.map((name) => {
      const groupOption = name === firstTable ? '' : `, colocate_with => ${quoteText(firstTable!)}`;
      return `select create_distributed_table(${quoteText(name)}, 'site_id'${groupOption})`;
    }),
    ...keys.map(
      ({ table, constraint, definition }) => `alter table ${table} add constraint "${constraint}" ${definition}`,
    ),
  ];
}

/**
 * Spreads tables that were just created over the servers of a cluster, where `npm run distribute` has spread those before:
 * having the extension alone asks for nothing. Throws if something speaks against it.
 */
export async function distributeNewTables(queries: Queries): Promise<void> {
  if (!(await isCluster(queries))) return;
  const placements = placeTables(await readCatalogue(queries));
  if (!placements.some(({ table }) => table.isPlaced)) return;
  const misfit = placements.find(({ problems }) => problems.length > 0);
  if (misfit) throw new Error(`${misfit.table.name} cannot be spread over servers: ${misfit.problems.join('; ')}.`);
  for (const statement of distributionStatements(placements)) await sql.raw(statement).execute(queries);
}
