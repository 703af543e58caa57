import { sql } from 'kysely';
import type { Actor } from '../../engine/access/actor';
import { formatInstant } from '../../engine/formats/dates';
import type { Module, ModuleVersion } from '../../engine/studio/module';
import { titleSql } from '../conditions/columns';
import type { Queries } from '../database/database';
import type { Stage } from '../definitions/stage';
import { sourceIn, type Publisher } from '../definitions/stored-modules';

/** Who asks, by the name that versions remember. */
export async function publisherOf({ trx, before: { registry } }: Stage, { id }: Actor): Promise<Publisher> {
  const [any] = registry.definitions.values();
  const people = registry.need(any!.fields.created_by!.to!);
  const { rows } = await sql<{ name: string | null }>`select ${titleSql(people, 'u', registry)} as name
    from ${sql.id('public', people.table)} u where u.id = ${id}`.execute(trx);
  return { id, name: rows[0]?.name ?? `${people.labels.one} ${id}` };
}

type Change = NonNullable<Module['changed']>;

interface Maker {
  readonly user_id: number | null;
  readonly user_name: string | null;
  readonly created_at: Date | string;
}

interface Row extends Maker {
  readonly version: number;
  readonly event: ModuleVersion['event'];
  readonly source: string;
}

/** Every version of a module, the newest first. */
export async function versionsOf(queries: Queries, name: string): Promise<ModuleVersion[]> {
  const rows = (await versions(queries, name).orderBy('version', 'desc').execute()) as Row[];
  return rows.map(({ version, event, source, ...maker }) => ({
    version,
    ...madeBy(maker),
    event,
    definition: sourceIn(source),
  }));
}

/** Whether a field was secret in some version: what is left of it in its column stays so. */
export async function wasSecret(queries: Queries, name: string, field: string): Promise<boolean> {
  return (await versionsOf(queries, name)).some(({ definition: { fields } }) => {
    const written = Object.hasOwn(fields, field) ? fields[field]! : {};
    return written.secret ?? written.type === 'password';
  });
}

/** Who made the newest version and when, by the names of modules: of one, or of all. */
export async function latestChanges(queries: Queries, name?: string): Promise<ReadonlyMap<string, Change>> {
  const { rows } = await sql<Maker & { name: string }>`select distinct on (name) name, user_id, user_name, created_at
    from assay.module_versions where ${name === undefined ? sql`true` : sql`name = ${name}`}
    order by name, version desc`.execute(queries);
  return new Map(rows.map(({ name: of, ...maker }) => [of, madeBy(maker)]));
}

function madeBy({ user_id: id, user_name, created_at }: Maker): Change {
  return { user: id === null ? null : { id, name: user_name! }, created_at: new Date(created_at).toISOString() };
}

/** The text of a version; undefined where there is none of the number. */
export async function textOfVersion(queries: Queries, name: string, version: number): Promise<string | undefined> {
  return ((await versions(queries, name).where('version', '=', version).executeTakeFirst()) as Row | undefined)?.source;
}

const did: Readonly<Record<ModuleVersion['event'], string>> = {
  shipped: 'brought a new version',
  published: 'published another version',
  restored: 'took back an earlier version',
  merged: 'joined it with what was shipped newly',
  returned: 'returned it to what was shipped',
  retired: 'retired it',
};

/** Who made the present version and when, for whoever worked on an earlier one. */
export async function latestInWords(queries: Queries, name: string, timeZone: string): Promise<string> {
  const row = (await versions(queries, name).orderBy('version', 'desc').limit(1).executeTakeFirst()) as Row | undefined;
  if (!row) return 'It was changed meanwhile';
  const when = formatInstant(new Date(row.created_at).toISOString(), timeZone);
  return `${row.user_name ?? 'An upgrade'} ${did[row.event]} (version ${row.version}) on ${when}`;
}

function versions(queries: Queries, name: string) {
  return queries
    .withSchema('assay')
    .selectFrom('module_versions')
    .select(['version', 'user_id', 'user_name', 'created_at', 'event', 'source'])
    .where('name', '=', name);
}
