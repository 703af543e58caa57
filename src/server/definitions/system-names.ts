import { sql } from 'kysely';
import { tableOf } from '../../engine/definitions/labels';
import type { Source } from '../../engine/language/source';
import type { Queries } from '../database/database';
import { StartError } from '../lifecycle/start-error';
import { definitionName } from './candidates';
import { readDefinitionFiles, type DefinitionFolders } from './folder';

/**
 * Asserts that no module of the product or of this installation has the name of a module that the system has, which it
 * may have since an upgrade: the system would take over its table and its records. Called before anything is written, so
 * that the version before can still be started. Throws StartError, which says how the module is renamed.
 */
export async function assertSystemNamesAreFree(queries: Queries, folders: DefinitionFolders): Promise<void> {
  const system = new Set(readDefinitionFiles(folders.system).map(({ file }) => definitionName(file)));
  const product = readDefinitionFiles(folders.product).filter(({ file }) => !file.endsWith('.extension.json'));
  const tables = await tablesIn(queries);
  const isStored = (name: string) => tables.has(tableOf(name));
  for (const { file, text } of product) {
    const name = definitionName(file);
    if (system.has(name) && isStored(name))
      throw new StartError(
        `${file}: ${isNow(name)} Give the file and the definition another name, with "formerName": "${name}", and start the version that you had once with it: ${goAlong} Then start this version.`,
      );
    const previousName = formerName(text);
    if (previousName !== undefined && system.has(previousName) && isStored(previousName) && !isStored(name))
      throw new StartError(
        `${file}: ${isNow(previousName)} Start the version that you had once with this file: it renames the table, and ${goAlong} Then start this version.`,
      );
  }
  for (const name of await modulesMadeHere(queries))
    if (system.has(name) && isStored(name))
      throw new StartError(
        `The module "${name}" that was created in the studio: ${isNow(name)} Start the version that you had, retire the module in the studio, and create one from its JSON with another name and "formerName": "${name}": ${goAlong} Then start this version.`,
      );
}

const isNow = (name: string) =>
  `this version of the program has a module "${name}" itself, so yours needs another name. Nothing was changed.`;
const goAlong = 'its records, history and permissions go along.';

/** The tables of modules; none before the first start. */
async function tablesIn(queries: Queries): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ name: string }>`select table_name as name from information_schema.tables
    where table_schema = 'public'`.execute(queries);
  return new Set(rows.map(({ name }) => name));
}

/** The modules that were created in the studio, retired ones too: their tables are there until they are purged. */
async function modulesMadeHere(queries: Queries): Promise<readonly string[]> {
  const { rows: tables } = await sql<{
    table: string | null;
  }>`select to_regclass('assay.module_versions')::text as table`.execute(queries);
  if (tables[0]?.table == null) return [];
  // A changed module of the system that was without its file for a while is no custom one.
  const { rows } = await sql<{ name: string }>`select name from assay.modules m where origin = 'custom'
    and not exists (select from assay.module_versions v where v.name = m.name and v.event = 'shipped') order by name`.execute(
    queries,
  );
  return rows.map(({ name }) => name);
}

/** A file that cannot be read is reported when its definition is. */
function formerName(text: string): string | undefined {
  try {
    return (JSON.parse(text) as Partial<Source> | null)?.formerName;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
