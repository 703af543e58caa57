import { sql } from 'kysely';
import type { Actor } from '../../engine/access/actor';
import { formatInstant } from '../../engine/formats/dates';
import type { Definition } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/registry/registry';
import type { Module, ModuleVersion } from '../../engine/studio/module';
import { writtenTypeOf } from '../../engine/field-types';
import { titleSql } from '../sql/operands';
import type { Queries } from '../database/database';
import type { Stage } from '../definitions/stage';
import { parseSource, type Publisher } from '../definitions/stored-modules';
import { onEngineTables } from '../database/engine-tables';
import { firstOf, ownProperty, requireValue } from '../../engine/values/lookups';
import { fieldOf } from '../../engine/definitions/accessors';

/** The definition of the people that every record names as its authors. */
export function peopleDefinition(registry: Registry): Definition {
  const anyDefinition = firstOf([...registry.definitions.values()]);
  return registry.getOrThrow(fieldOf(anyDefinition, 'created_by').to);
}

/** The caller with the name that versions store. */
export async function loadPublisher({ trx, current: { registry } }: Stage, { id }: Actor): Promise<Publisher> {
  const people = peopleDefinition(registry);
  const { rows } = await sql<{ name: string | null }>`select ${titleSql(people, 'u', registry)} as name
    from ${sql.id('public', people.table)} u where u.id = ${id}`.execute(trx);
  return { id, name: rows[0]?.name ?? `${people.labels.one} ${id}` };
}

type LatestChange = NonNullable<Module['changed']>;

interface VersionAuthor {
  readonly user_id: number | null;
  readonly user_name: string | null;
  readonly created_at: Date | string;
}

interface VersionRow extends VersionAuthor {
  readonly version: number;
  readonly event: ModuleVersion['event'];
  readonly source: string;
  readonly note: string | null;
}

/** All versions of a module, newest first. */
export async function loadVersions(queries: Queries, name: string): Promise<ModuleVersion[]> {
  const rows = (await versionsQuery(queries, name).orderBy('version', 'desc').execute()) as VersionRow[];
  return rows.map(({ version, event, source, note, ...maker }) => ({
    version,
    ...toLatestChange(maker),
    event,
    note,
    definition: parseSource(source),
  }));
}

/** Whether a field was secret in some version: then its remaining values stay secret. */
export async function wasSecret(queries: Queries, name: string, field: string): Promise<boolean> {
  return (await loadVersions(queries, name)).some(({ definition: { fields } }) => {
    const fieldSource = ownProperty(fields, field) ?? {};
    return fieldSource.secret ?? writtenTypeOf(fieldSource).isHashed === true;
  });
}

/** Who made the latest version and when, by module name: of one module, or of all. */
export async function latestChanges(queries: Queries, name?: string): Promise<ReadonlyMap<string, LatestChange>> {
  const { rows } = await sql<
    VersionAuthor & { name: string }
  >`select distinct on (name) name, user_id, user_name, created_at
    from assay.module_versions where ${name === undefined ? sql`true` : sql`name = ${name}`}
    order by name, version desc`.execute(queries);
  return new Map(rows.map(({ name: versionName, ...maker }) => [versionName, toLatestChange(maker)]));
}

function toLatestChange({ user_id: id, user_name, created_at }: VersionAuthor): LatestChange {
  return {
    user: id === null ? null : { id, name: requireValue(user_name, 'the name of an author') },
    created_at: new Date(created_at).toISOString(),
  };
}

/** The text of a version; undefined if it does not exist. */
export async function loadVersionText(queries: Queries, name: string, version: number): Promise<string | undefined> {
  return (
    (await versionsQuery(queries, name).where('version', '=', version).executeTakeFirst()) as VersionRow | undefined
  )?.source;
}

const eventPhrases: Readonly<Record<ModuleVersion['event'], string>> = {
  shipped: 'brought a new version',
  published: 'published another version',
  restored: 'restored an earlier version',
  merged: 'merged it with the new shipped version',
  returned: 'reset it to the shipped version',
  retired: 'retired it',
};

/** Describes who made the current version and when, for users who edited an earlier one. */
export async function describeLatestVersion(queries: Queries, name: string, timeZone: string): Promise<string> {
  const row = (await versionsQuery(queries, name).orderBy('version', 'desc').limit(1).executeTakeFirst()) as
    | VersionRow
    | undefined;
  if (!row) return 'It was changed in the meantime';
  const changeTime = formatInstant(new Date(row.created_at).toISOString(), timeZone);
  return `${row.user_name ?? 'An upgrade'} ${eventPhrases[row.event]} (version ${row.version}) on ${changeTime}`;
}

function versionsQuery(queries: Queries, name: string) {
  return onEngineTables(queries)
    .selectFrom('module_versions')
    .select(['version', 'user_id', 'user_name', 'created_at', 'event', 'source', 'note'])
    .where('name', '=', name);
}
