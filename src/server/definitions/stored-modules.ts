import type { ModuleVersion } from '../../engine/studio/module';
import type { Source } from '../../engine/language/source';
import type { Queries, Transaction } from '../database/database';
import { onEngineTables } from '../database/engine-tables';

/** A stored definition: its origin and its changes. Sources are JSON texts with keys in order. */
export interface StoredModule {
  readonly name: string;
  readonly origin: 'shipped' | 'custom';
  /** The active text instead of a file; null: as shipped. */
  readonly source: string | null;
  /** The shipped text on which `source` is based. */
  readonly base: string | null;
  readonly retired_at: Date | string | null;
  readonly version: number;
}

export type StoredModules = ReadonlyMap<string, StoredModule>;

/** Who made a version; null: the program itself. */
export interface Publisher {
  readonly id: number;
  readonly name: string;
}

/** A text that was activated or deactivated. */
export interface NewVersion {
  readonly source: string;
  readonly event: ModuleVersion['event'];
  readonly by: Publisher | null;
  /** The author's note about it. */
  readonly note?: string;
}

/** A definition as text, normalized for storing and comparing. */
export function serializeSource(source: Source): string {
  return JSON.stringify(source, null, 2);
}

/** Parses such a text. */
export function parseSource(text: string): Source {
  return JSON.parse(text) as Source;
}

/** All stored definitions, by name. */
export async function loadStoredModules(queries: Queries): Promise<StoredModules> {
  const rows = await onEngineTables(queries).selectFrom('modules').selectAll().orderBy('name').execute();
  return new Map((rows as StoredModule[]).map((row) => [row.name, row]));
}

/** Name → the text of the version before the stored one. */
export async function loadFormerTexts(queries: Queries): Promise<ReadonlyMap<string, string>> {
  const rows = await onEngineTables(queries)
    .selectFrom('module_versions')
    .innerJoin('modules', 'modules.name', 'module_versions.name')
    .distinctOn('module_versions.name')
    .select(['module_versions.name', 'module_versions.source'])
    .where('modules.source', 'is not', null)
    .whereRef('module_versions.version', '<', 'modules.version')
    .orderBy('module_versions.name')
    .orderBy('module_versions.version', 'desc')
    .execute();
  return new Map(rows.map(({ name, source }) => [name, source]));
}

/** Stores a definition and, if given, its new version. */
export async function storeModule(trx: Transaction, module: StoredModule, version?: NewVersion): Promise<void> {
  const { name, ...rest } = module;
  const assay = onEngineTables(trx);
  await assay
    .insertInto('modules')
    .values({ ...module })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(rest))
    .execute();
  if (!version) return;
  const { source, event, by: publisher, note } = version;
  await assay
    .insertInto('module_versions')
    .values({
      ...{ name, version: module.version, source, event, note: note ?? null },
      ...{ user_id: publisher?.id ?? null, user_name: publisher?.name ?? null },
    })
    .execute();
}
