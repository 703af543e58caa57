import type { ModuleVersion } from '../../engine/studio/module';
import type { Source } from '../../engine/definitions/source';
import type { Queries, Transaction } from '../database/database';

/** What is stored of a definition: where it comes from, and what was made of it here. Sources are texts, keys in order. */
export interface StoredModule {
  readonly name: string;
  readonly origin: 'shipped' | 'custom';
  /** What is in force instead of a file; null: as shipped. */
  readonly source: string | null;
  /** What was shipped when `source` began to differ from it. */
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

/** A text that came into force, or left it. */
export interface NewVersion {
  readonly source: string;
  readonly event: ModuleVersion['event'];
  readonly by: Publisher | null;
}

/** A definition as the text that is stored and compared: the same for any way of laying it out. */
export function textOf(source: Source): string {
  return JSON.stringify(source, null, 2);
}

/** What such a text says. */
export function sourceIn(text: string): Source {
  return JSON.parse(text) as Source;
}

/** Everything that is stored of definitions, by name. */
export async function readStored(queries: Queries): Promise<StoredModules> {
  const rows = await queries.withSchema('assay').selectFrom('modules').selectAll().orderBy('name').execute();
  return new Map((rows as StoredModule[]).map((row) => [row.name, row]));
}

/** Stores a definition with, where there is one, the version that it is now. */
export async function storeModule(trx: Transaction, module: StoredModule, version?: NewVersion): Promise<void> {
  const { name, ...rest } = module;
  const assay = trx.withSchema('assay');
  await assay
    .insertInto('modules')
    .values({ ...module })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(rest))
    .execute();
  if (!version) return;
  const { source, event, by } = version;
  await assay
    .insertInto('module_versions')
    .values({ name, version: module.version, source, event, user_id: by?.id ?? null, user_name: by?.name ?? null })
    .execute();
}
