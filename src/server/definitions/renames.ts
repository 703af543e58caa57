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
  stored: StoredModules,
  shipped: ShippedTexts,
): Promise<StoredModules> {
  const followed = new Map(stored);
  for (const [name, text] of shipped) {
    const { formerName } = parseSource(text);
    const module =
      formerName === undefined || shipped.has(formerName) || stored.has(name) ? undefined : stored.get(formerName);
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
    await renameDrafts(trx, module.name, name);
    followed.delete(module.name);
    followed.set(name, renamed);
  }
  return followed;
}

function renamedText(module: StoredModule, which: 'source' | 'base', name: string): string | null {
  const text = module[which];
  return text === null ? null : renamedSource(text, module.name, name);
}

function renamedSource(text: string, was: string, name: string): string {
  return serializeSource({ ...parseSource(text), name, formerName: was });
}

/**
 * Drafts begin with a module and go on with it. Whoever has a draft of a new module under that name keeps it, and the
 * other one beside it under the old name.
 */
async function renameDrafts(trx: Transaction, was: string, name: string): Promise<void> {
  const drafts = onEngineTables(trx);
  const own = await drafts.selectFrom('module_drafts').selectAll().where('name', 'in', [was, name]).execute();
  const taken = new Set(own.filter((draft) => draft.name === name).map(({ user_id }) => user_id));
  for (const { user_id, base, source, text } of own.filter((draft) => draft.name === was && !taken.has(draft.user_id)))
    await drafts
      .updateTable('module_drafts')
      .set({
        name,
        base: renamedSource(base, was, name),
        source: renamedSource(source, was, name),
        text: renamedTyping(text, was, name),
      })
      .where('name', '=', was)
      .where('user_id', '=', user_id)
      .execute();
}

/** What is typed into the JSON editor, even if it cannot be read: it stays as it is, with the name in its place. */
function renamedTyping(text: string, was: string, name: string): string {
  return text.replace(
    `"name": ${JSON.stringify(was)}`,
    `"name": ${JSON.stringify(name)},\n  "formerName": ${JSON.stringify(was)}`,
  );
}
