import type { Transaction } from '../database/database';
import { sourceIn, textOf, type StoredModule, type StoredModules } from './stored-modules';
import type { ShippedTexts } from './upgrades';

/**
 * Renames stored modules and their versions if an upgrade ships them under another name (`was` is the old one). Returns
 * the stored modules after that.
 */
export async function followRenames(
  trx: Transaction,
  stored: StoredModules,
  shipped: ShippedTexts,
): Promise<StoredModules> {
  const followed = new Map(stored);
  for (const [name, text] of shipped) {
    const { was } = sourceIn(text);
    const module = was === undefined || shipped.has(was) || stored.has(name) ? undefined : stored.get(was);
    if (module?.origin !== 'shipped') continue;
    const renamed = { ...module, name, source: named(module, 'source', name), base: named(module, 'base', name) };
    const assay = trx.withSchema('assay');
    await assay.insertInto('modules').values(renamed).execute();
    await assay.updateTable('module_versions').set({ name }).where('name', '=', module.name).execute();
    await assay.deleteFrom('modules').where('name', '=', module.name).execute();
    followed.delete(module.name);
    followed.set(name, renamed);
  }
  return followed;
}

function named(module: StoredModule, which: 'source' | 'base', name: string): string | null {
  const text = module[which];
  return text === null ? null : textOf({ ...sourceIn(text), name, was: module.name });
}
