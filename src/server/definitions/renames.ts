import type { Transaction } from '../database/database';
import { parseSource, serializeSource, type StoredModule, type StoredModules } from './stored-modules';
import type { ShippedTexts } from './upgrades';
import { onEngineTables } from '../database/engine-tables';

/**
 * Renames stored modules and their versions if an upgrade ships them under another name (`was` is the old one). Returns
 * the stored modules after that.
 */
export async function applyRenames(
  trx: Transaction,
  stored: StoredModules,
  shipped: ShippedTexts,
): Promise<StoredModules> {
  const followed = new Map(stored);
  for (const [name, text] of shipped) {
    const { was } = parseSource(text);
    const module = was === undefined || shipped.has(was) || stored.has(name) ? undefined : stored.get(was);
    if (module?.origin !== 'shipped') continue;
    const renamed = {
      ...module,
      name,
      source: renamedText(module, 'source', name),
      base: renamedText(module, 'base', name),
    };
    const assay = onEngineTables(trx);
    await assay.insertInto('modules').values(renamed).execute();
    await assay.updateTable('module_versions').set({ name }).where('name', '=', module.name).execute();
    await assay.deleteFrom('modules').where('name', '=', module.name).execute();
    followed.delete(module.name);
    followed.set(name, renamed);
  }
  return followed;
}

function renamedText(module: StoredModule, which: 'source' | 'base', name: string): string | null {
  const text = module[which];
  return text === null ? null : serializeSource({ ...parseSource(text), name, was: module.name });
}
