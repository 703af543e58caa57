import type { SourceValidator } from '../../engine/check/check-schema';
import { JsonError, parseJson } from '../../engine/check/parse-json';
import type { DefinitionFile } from '../../engine/check/read-definitions';
import type { Source } from '../../engine/language/source';
import { mergeSources } from '../../engine/studio/merge';
import type { Upgrade } from '../../engine/studio/module';
import type { Transaction } from '../database/database';
import type { CheckedTexts } from './checked-texts';
import { definitionName, type Candidate, type LastGoodTexts } from './candidates';
import { parseSource, storeModule, serializeSource, type StoredModule, type StoredModules } from './stored-modules';
import { onEngineTables } from '../database/engine-tables';
import { getOrThrow } from '../../engine/values/lookups';

/** Name → the shipped text. */
export type ShippedTexts = ReadonlyMap<string, string>;

/** The definitions in files if they are readable, else what those files contained last; each as normalized text. */
export function shippedTexts(
  files: readonly DefinitionFile[],
  lastGoodTexts: LastGoodTexts,
  validate: SourceValidator,
  checked: CheckedTexts,
): ShippedTexts {
  if (checked.has('each', files))
    return new Map(files.map(({ file, text }) => [definitionName(file), serializeSource(parseSource(text))]));
  const texts = new Map<string, string>();
  let areValid = true;
  for (const { file, text, problems = [] } of files) {
    const name = definitionName(file);
    const fileSource = problems.length === 0 ? readSource(text, name, validate) : undefined;
    const source = fileSource ?? readSource(lastGoodTexts.get(`${name}.json`), name, validate);
    if (source) texts.set(name, serializeSource(source));
    areValid &&= fileSource !== undefined;
  }
  if (areValid) checked.add('each', files);
  return texts;
}

function readSource(text: string | undefined, name: string, validate: SourceValidator): Source | undefined {
  if (text === undefined) return undefined;
  try {
    const { value } = parseJson(text);
    return validate(value).length === 0 && (value as Source).name === name ? (value as Source) : undefined;
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}

/** Merges local changes with a newer shipped definition; undefined if there is no newer one. */
export function computeUpgrade(module: StoredModule, shippedText: string | undefined): Upgrade | undefined {
  const { origin, source, base } = module;
  if (origin !== 'shipped' || source === null || base === null || shippedText === undefined || shippedText === base)
    return undefined;
  const now = parseSource(shippedText);
  return { shipped: now, ...mergeSources(parseSource(base), now, parseSource(source)) };
}

/** The definitions whose upgrade needs a decision: it conflicts with local changes, or could lose stored values. */
export function pendingUpgrades(
  storedModules: StoredModules,
  shippedTexts: ShippedTexts,
  inForce: readonly Candidate[],
): readonly string[] {
  const mergedNames = new Set(
    inForce.filter(({ origin }) => origin === 'merged').map(({ file }) => definitionName(file)),
  );
  return [...storedModules.values()]
    .filter((module) => module.retired_at === null && !mergedNames.has(module.name))
    .filter((module) => computeUpgrade(module, shippedTexts.get(module.name)) !== undefined)
    .map(({ name }) => name);
}

/** Name → the merged text of upgrades without conflicts. */
export function mergedTexts(storedModules: StoredModules, shippedTexts: ShippedTexts): Map<string, string> {
  const mergedTexts = new Map<string, string>();
  for (const module of storedModules.values()) {
    const upgrade = computeUpgrade(module, shippedTexts.get(module.name));
    if (upgrade?.conflicts.length === 0) mergedTexts.set(module.name, serializeSource(upgrade.merged));
  }
  return mergedTexts;
}

/**
 * Stores what files ship now: new definitions, new texts of unchanged ones as versions, merged upgrades, and changed
 * origins. Returns the names.
 */
export async function storeShippedDefinitions(
  trx: Transaction,
  storedModules: StoredModules,
  shippedTexts: ShippedTexts,
  inForce: readonly Candidate[],
): Promise<string[]> {
  const names: string[] = [];
  const chosenCandidates = new Map(inForce.map((candidate) => [definitionName(candidate.file), candidate]));
  const last = await latestVersionTexts(trx);
  for (const name of new Set([...storedModules.keys(), ...shippedTexts.keys()])) {
    const shippedText = shippedTexts.get(name);
    const next =
      shippedText === undefined
        ? updateWithoutFile(getOrThrow(storedModules, name))
        : updateFromFile(name, storedModules.get(name), shippedText, chosenCandidates.get(name), last.get(name));
    if (!next) continue;
    names.push(name);
    const { text, event, ...module } = next;
    await storeModule(trx, module, event && { source: text, event, by: null });
  }
  return names;
}

type ModuleUpdate = StoredModule & { readonly text: string; readonly event?: 'shipped' | 'merged' };

/** A changed definition survives the removal of its file. */
function updateWithoutFile(module: StoredModule): ModuleUpdate | undefined {
  if (module.origin === 'custom' || module.source === null) return undefined;
  return { ...module, origin: 'custom', text: module.source };
}

function updateFromFile(
  name: string,
  module: StoredModule | undefined,
  shippedText: string,
  chosenCandidate: Candidate | undefined,
  last: string | undefined,
): ModuleUpdate | undefined {
  const untouchedModule = { name, origin: 'shipped', source: null, base: null, retired_at: null } as const;
  const version = (module?.version ?? 0) + 1;
  if (!module || module.source === null || module.retired_at !== null) {
    // A file that was dropped is not a version yet.
    const text = chosenCandidate ? serializeSource(parseSource(chosenCandidate.text)) : undefined;
    if (text === undefined || (module?.retired_at === null && text === last)) return undefined;
    return { ...untouchedModule, version, text, event: 'shipped' };
  }
  if (chosenCandidate?.origin === 'merged') {
    const text = serializeSource(parseSource(chosenCandidate.text));
    const mergedModule = text === shippedText ? untouchedModule : { ...module, base: shippedText };
    if (text === module.source) return { ...mergedModule, version: module.version, text };
    return { ...mergedModule, source: text === shippedText ? null : text, version, text, event: 'merged' };
  }
  if (module.source === shippedText) return { ...untouchedModule, version: module.version, text: shippedText };
  if (module.origin === 'shipped') return undefined;
  return { ...module, origin: 'shipped', base: module.base ?? shippedText, text: module.source };
}

/** The text of the latest version of every definition. */
async function latestVersionTexts(trx: Transaction): Promise<Map<string, string>> {
  const rows = await onEngineTables(trx)
    .selectFrom('module_versions')
    .distinctOn('name')
    .select(['name', 'source'])
    .orderBy('name')
    .orderBy('version', 'desc')
    .execute();
  return new Map((rows as { name: string; source: string }[]).map(({ name, source }) => [name, source]));
}
