import type { Transaction } from '../database/database';
import { parseSource, serializeSource, type StoredModule, type StoredModules } from './stored-modules';
import type { ShippedTexts } from './upgrades';
import { onEngineTables } from '../database/engine-tables';

/**
 * Renames stored modules, their versions and their drafts if an upgrade ships them under another name (`formerName` is the old one). Returns
 * the stored modules after that.
 */
export async function applyRenames(
  trx: Transaction,
  storedModules: StoredModules,
  shippedTexts: ShippedTexts,
): Promise<StoredModules> {
  const renamedModules = new Map(storedModules);
  for (const [name, text] of shippedTexts) {
    const { formerName } = parseSource(text);
    const module =
      formerName === undefined || shippedTexts.has(formerName) || storedModules.has(name)
        ? undefined
        : storedModules.get(formerName);
    if (module?.origin !== 'shipped') continue;
    const renamedModule = {
      ...module,
      name,
      source: renamedText(module, 'source', name),
      base: renamedText(module, 'base', name),
    };
    const assay = onEngineTables(trx);
    await assay.insertInto('modules').values(renamedModule).execute();
    await assay.updateTable('module_versions').set({ name }).where('name', '=', module.name).execute();
    await assay.deleteFrom('modules').where('name', '=', module.name).execute();
    await renameDrafts(trx, module.name, name);
    renamedModules.delete(module.name);
    renamedModules.set(name, renamedModule);
  }
  return renamedModules;
}

function renamedText(module: StoredModule, column: 'source' | 'base', name: string): string | null {
  const text = module[column];
  return text === null ? null : renamedSource(text, module.name, name);
}

function renamedSource(text: string, formerName: string, name: string): string {
  return serializeSource({ ...parseSource(text), name, formerName });
}

/**
 * Drafts begin with a module and go on with it. A draft of a new module under that name is kept, and the
 * other one beside it under the old name.
 */
async function renameDrafts(trx: Transaction, formerName: string, name: string): Promise<void> {
  const drafts = onEngineTables(trx);
  const affectedDrafts = await drafts
    .selectFrom('module_drafts')
    .selectAll()
    .where('name', 'in', [formerName, name])
    .execute();
  const ownersOfNewName = new Set(affectedDrafts.filter((draft) => draft.name === name).map(({ user_id }) => user_id));
  for (const { user_id, base, source, text } of affectedDrafts.filter(
    (draft) => draft.name === formerName && !ownersOfNewName.has(draft.user_id),
  ))
    await drafts
      .updateTable('module_drafts')
      .set({
        name,
        base: renamedSource(base, formerName, name),
        source: renamedSource(source, formerName, name),
        text: renamedTyping(text, formerName, name),
      })
      .where('name', '=', formerName)
      .where('user_id', '=', user_id)
      .execute();
}

/** Keeps the text of the JSON editor as it is, even if it cannot be parsed, with the new name in place of the former. */
function renamedTyping(text: string, formerName: string, name: string): string {
  return text.replace(
    `"name": ${JSON.stringify(formerName)}`,
    `"name": ${JSON.stringify(name)},\n  "formerName": ${JSON.stringify(formerName)}`,
  );
}
