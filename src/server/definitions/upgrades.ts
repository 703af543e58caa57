import type { SourceJudge } from '../../engine/definitions/check-schema';
import { JsonError, readJson } from '../../engine/definitions/json-lines';
import type { DefinitionFile } from '../../engine/definitions/read';
import type { Source } from '../../engine/definitions/source';
import { mergeSources } from '../../engine/studio/merge';
import type { Upgrade } from '../../engine/studio/module';
import type { Transaction } from '../database/database';
import { nameOf, type Candidate } from './candidates';
import type { GoodTexts } from './good-texts';
import { sourceIn, storeModule, textOf, type StoredModule, type StoredModules } from './stored-modules';

/** Name → the text that ships. */
export type ShippedTexts = ReadonlyMap<string, string>;

/** What files ship, as far as it can be read, else what they shipped last; each as the text that is compared. */
export function shippedTexts(files: readonly DefinitionFile[], good: GoodTexts, judge: SourceJudge): ShippedTexts {
  const texts = new Map<string, string>();
  for (const { file, text } of files) {
    const name = nameOf(file);
    const source = readSource(text, name, judge) ?? readSource(good.get(`${name}.json`), name, judge);
    if (source) texts.set(name, textOf(source));
  }
  return texts;
}

function readSource(text: string | undefined, name: string, judge: SourceJudge): Source | undefined {
  if (text === undefined) return undefined;
  try {
    const { value } = readJson(text);
    return judge(value).length === 0 && (value as Source).name === name ? (value as Source) : undefined;
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}

/** Joins what was changed here with a newer shipped definition; undefined where nothing newer ships. */
export function upgradeOf(module: StoredModule, shipped: string | undefined): Upgrade | undefined {
  const { origin, source, base } = module;
  if (origin !== 'shipped' || source === null || base === null || shipped === undefined || shipped === base)
    return undefined;
  const now = sourceIn(shipped);
  return { shipped: now, ...mergeSources(sourceIn(base), now, sourceIn(source)) };
}

/** The names whose upgrade waits for a decision: it contradicts what was changed here, or could lose stored values. */
export function waitingUpgrades(
  stored: StoredModules,
  shipped: ShippedTexts,
  inForce: readonly Candidate[],
): readonly string[] {
  const joined = new Set(inForce.filter(({ from }) => from === 'merged').map(({ file }) => nameOf(file)));
  return [...stored.values()]
    .filter((module) => module.retired_at === null && !joined.has(module.name))
    .filter((module) => upgradeOf(module, shipped.get(module.name)) !== undefined)
    .map(({ name }) => name);
}

/** Name → the text that an upgrade leads to, of those that join without contradictions. */
export function joinedTexts(stored: StoredModules, shipped: ShippedTexts): Map<string, string> {
  const joined = new Map<string, string>();
  for (const module of stored.values()) {
    const upgrade = upgradeOf(module, shipped.get(module.name));
    if (upgrade?.conflicts.length === 0) joined.set(module.name, textOf(upgrade.merged));
  }
  return joined;
}

/**
 * Keeps what files ship now: new definitions and new texts of unchanged ones as versions, upgrades that joined, and
 * where changes have become, or stopped being, changes of something that ships. Answers the names.
 */
export async function storeShipped(
  trx: Transaction,
  stored: StoredModules,
  shipped: ShippedTexts,
  inForce: readonly Candidate[],
): Promise<string[]> {
  const names: string[] = [];
  const chosen = new Map(inForce.map((one) => [nameOf(one.file), one]));
  const last = await lastTexts(trx);
  for (const name of new Set([...stored.keys(), ...shipped.keys()])) {
    const ships = shipped.get(name);
    const next =
      ships === undefined
        ? withoutFile(stored.get(name)!)
        : withFile(name, stored.get(name), ships, chosen.get(name), last.get(name));
    if (!next) continue;
    names.push(name);
    const { text, event, ...module } = next;
    await storeModule(trx, module, event && { source: text, event, by: null });
  }
  return names;
}

type Change = StoredModule & { readonly text: string; readonly event?: 'shipped' | 'merged' };

/** What was changed here outlives the file that it came from. */
function withoutFile(module: StoredModule): Change | undefined {
  if (module.origin === 'custom' || module.source === null) return undefined;
  return { ...module, origin: 'custom', text: module.source };
}

function withFile(
  name: string,
  module: StoredModule | undefined,
  ships: string,
  chosen: Candidate | undefined,
  last: string | undefined,
): Change | undefined {
  const plain = { name, origin: 'shipped', source: null, base: null, retired_at: null } as const;
  const version = (module?.version ?? 0) + 1;
  if (!module || module.source === null || module.retired_at !== null) {
    // A file that had to stand back is no version yet.
    const text = chosen ? textOf(sourceIn(chosen.text)) : undefined;
    if (text === undefined || (module?.retired_at === null && text === last)) return undefined;
    return { ...plain, version, text, event: 'shipped' };
  }
  if (chosen?.from === 'merged') {
    const text = textOf(sourceIn(chosen.text));
    const joined = text === ships ? plain : { ...module, base: ships };
    if (text === module.source) return { ...joined, version: module.version, text };
    return { ...joined, source: text === ships ? null : text, version, text, event: 'merged' };
  }
  if (module.source === ships) return { ...plain, version: module.version, text: ships };
  if (module.origin === 'shipped') return undefined;
  return { ...module, origin: 'shipped', base: module.base ?? ships, text: module.source };
}

/** The text of the last version of every definition. */
async function lastTexts(trx: Transaction): Promise<Map<string, string>> {
  const rows = await trx
    .withSchema('assay')
    .selectFrom('module_versions')
    .distinctOn('name')
    .select(['name', 'source'])
    .orderBy('name')
    .orderBy('version', 'desc')
    .execute();
  return new Map((rows as { name: string; source: string }[]).map(({ name, source }) => [name, source]));
}
