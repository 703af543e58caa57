import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Definition } from '../../engine/definitions/definition';
import { createRegistry, type Registry } from '../../engine/definitions/registry';
import type { Database, Transaction } from '../database/database';
import type { WhenUnlocked } from '../database/lock-wait';
import { lockSchema } from '../database/schema-lock';
import { allowLongStatements } from '../database/timeouts';
import { definitionsResource, type LiveHub } from '../live/live-hub';
import type { LiveDefinitions } from './live-definitions';
import type { Step } from '../sync/step';
import { buildDeferredIndexes } from '../sync/deferred-indexes';
import { resolveAndSync } from './resolve-and-sync';
import {
  listCandidates,
  definitionName,
  type Candidate,
  saveLastGoodTexts,
  loadLastGoodTexts,
  type LastGoodTexts,
} from './candidates';
import { createDefaultGrants, type RoleLevel } from './default-grants';
import { type DefinitionProblem, DefinitionsError, describeProblem } from './definition-problem';
import { readDefinitionFolders, watchDefinitionFolders, type DefinitionFiles, type DefinitionFolders } from './folder';
import { applyRenames } from './renames';
import { createDefinitionsValidator } from './active-definitions';
import { readShippedRows, storeShippedRows } from './shipped-rows';
import { createSourceValidator } from './source-validator';
import { RegistrySwap } from './registry-swap';
import { openStage, type DefinitionSet } from './stage';
import { loadStoredModules } from './stored-modules';
import { type ShippedTexts, mergedTexts, shippedTexts, storeShippedDefinitions, pendingUpgrades } from './upgrades';
import type { Source } from '../../engine/definitions/source';
import { diffDefinitions } from '../../engine/studio/diff-definitions';

export interface DefinitionsOptions {
  readonly folders: DefinitionFolders;
  readonly database: Database;
  readonly live: LiveHub;
  readonly log: Logger;
  /** The names of the registered hooks. */
  readonly hooks: readonly string[];
  /** The names of the forms of exports that the product writes. */
  readonly exportFormats: readonly string[];
  /** First segments of addresses that the product uses itself. */
  readonly paths: readonly string[];
  /** By resource, the fields that definitions must keep because code uses them. */
  readonly requiredFields: Readonly<Record<string, readonly string[]>>;
  /** All roles with their levels and keys, for the default grants of a new module and for what definitions name. */
  readonly roleLevels: (trx: Transaction) => Promise<readonly RoleLevel[]>;
  /** Called within the transaction that created default grants, or gave grants another name with their module. */
  readonly onGranted?: (trx: Transaction) => Promise<void>;
  /** Waits for locks that others hold on the tables. */
  readonly whenUnlocked: WhenUnlocked;
}

/** The channel on which servers on one database announce changes of stored definitions. */
const CHANNEL = 'assay_definitions';
/** Milliseconds after which a failed reload is tried again. */
const RETRY_INTERVAL = 2_000;
/** A first start takes more steps than anybody reads: beyond this many, only their number is logged. */
const maxLoggedSteps = 30;

/**
 * Activates the definitions (tables, shipped rows, grants): stored ones take precedence over files. Reloads them
 * whenever a file changes, or a stored definition on this server or another one. A text with problems, or whose change
 * could lose stored values, is reported and falls back to the next candidate. Throws DefinitionsError if there are
 * problems at the first start.
 */
export async function openDefinitions(options: DefinitionsOptions): Promise<LiveDefinitions> {
  const { folders, database, live, log, whenUnlocked } = options;
  const validateSource = createSourceValidator();
  const validate = createDefinitionsValidator(
    validateSource,
    new Set(options.hooks),
    new Set(options.paths),
    new Set(options.exportFormats),
  );
  const origin = randomUUID();
  const listeners = new Set<(registry: Registry) => void>();
  const registrySwap = new RegistrySwap();
  let lastGood: LastGoodTexts = await loadLastGoodTexts(database.kysely);
  let lastScan = '';
  let files: DefinitionFiles = { definitions: [], rows: [] };
  let shipped: ShippedTexts = new Map();
  let refused: ReadonlySet<string> = new Set();
  let inForce: DefinitionSet = { registry: createRegistry([], 0), sources: new Map(), texts: [] };
  let faults: readonly DefinitionProblem[] = [];
  let queue: Promise<unknown> = Promise.resolve();
  let retry: NodeJS.Timeout | undefined;
  let scanRetry: NodeJS.Timeout | undefined;
  let building: Promise<unknown> = Promise.resolve();
  let closed = false;

  /** Runs one task at a time, so that files, other servers and changes never interfere. */
  function runExclusive<T>(task: () => Promise<T>): Promise<T> {
    const turn = queue.then(() => registrySwap.run(task));
    queue = turn.catch(() => undefined);
    return turn;
  }

  /** Reloads and activates everything. Only a scan of files (`isNew`) may store what they ship. */
  async function reload(isNew: boolean): Promise<void> {
    const first = lastGood.size === 0;
    const change = async (trx: Transaction) => {
      await lockSchema(trx);
      const stored = isNew
        ? await applyRenames(trx, await loadStoredModules(trx), shipped)
        : await loadStoredModules(trx);
      const merged = isNew ? mergedTexts(stored, shipped) : undefined;
      const candidates = listCandidates(files.definitions, lastGood, stored, merged);
      const synced = await resolveAndSync(trx, candidates, validate, inForce.registry.version + 1);
      const rows = readShippedRows(synced.registry, files, folders);
      const problems = [...synced.active.problems, ...synced.problems, ...rows.faults];
      if (first && problems.length > 0) throw new DefinitionsError(problems);
      await storeRows(trx, synced.registry, rows.shipped);
      const texts = goodTexts(synced.active.texts);
      await saveLastGoodTexts(trx, texts);
      const changed = isNew ? await storeShippedDefinitions(trx, stored, shipped, synced.active.texts) : [];
      if (changed.length > 0) await database.notify(CHANNEL, origin, trx);
      registrySwap.beforeCommit();
      const waiting = isNew ? pendingUpgrades(stored, shipped, synced.active.texts) : [];
      return { ...synced, now: problems, texts, waiting };
    };
    const result = await whenUnlocked(() => database.transaction(change));
    logSteps(result.applied);
    logProblems(result.now);
    for (const name of result.waiting) {
      log.warn(`The upgrade of ${name} needs a decision in the studio: it conflicts with local changes.`);
    }
    ({ refused } = result);
    lastGood = result.texts;
    faults = result.now;
    // After somebody has run the statement manually, saving the file again is enough.
    if (result.refused.size > 0) lastScan = '';
    const { registry, active } = result;
    activate({ registry, sources: active.sources, texts: active.texts });
    buildInBackground();
  }

  async function storeRows(
    trx: Transaction,
    registry: Registry,
    rows: Parameters<typeof storeShippedRows>[1],
  ): Promise<void> {
    const stored = await storeShippedRows(trx, rows);
    const modules = await createDefaultGrants(trx, registry, options.roleLevels);
    // Grants of a module that was renamed have its new name.
    const isRenamed = ({ name, was }: Definition) => was !== undefined && !inForce.registry.get(name);
    if (modules.length > 0 || [...registry.definitions.values()].some(isRenamed)) await options.onGranted?.(trx);
    for (const name of stored) live.publish({ resource: name, id: 0, event: 'changed' }, trx);
  }

  /** The active texts of files; for a file overridden by a stored definition, its last active text. */
  function goodTexts(texts: readonly Candidate[]): LastGoodTexts {
    const fromFiles = texts.filter(({ from }) => from === 'file' || from === 'good');
    const problems = new Map(fromFiles.map(({ file, text }) => [basename(file), text]));
    const known = files.definitions.map(({ file }) => basename(file)).filter((file) => lastGood.has(file));
    return new Map([...known.map((file) => [file, lastGood.get(file)!] as const), ...problems]);
  }

  function activate(next: DefinitionSet, published?: string): void {
    const changed = changedNames(inForce.texts, next.texts);
    const isSame = published !== undefined && !changed.includes(published);
    if (changed.length === 0 && !isSame && inForce.registry.version > 0) return;
    if (inForce.registry.version > 0) logChanges(log, changed, inForce.sources, next.sources);
    // Another server may have changed the tables, so prepared statements are outdated.
    database.forgetPreparedStatements();
    inForce = next;
    for (const listener of listeners) listener(next.registry);
    // Only on this server, each announces it itself: a client that reacted earlier would get the old definitions.
    for (const name of changed) live.publishLocally({ resource: definitionsResource, id: name, event: 'changed' });
    // A new version of the same text changes nothing for other servers.
    if (isSame) live.publish({ resource: definitionsResource, id: published, event: 'changed' });
  }

  /** Builds deferred indexes. If it fails, the next start or change tries again. */
  function buildInBackground(): void {
    building = building
      .then(async () => {
        if (closed) return;
        for (const text of await buildDeferredIndexes(database, inForce.registry))
          log.info(`${text}: done in the background.`);
      })
      .catch((error: Error) => closed || log.warn(`Some indexes could not be built yet: ${error.message}`));
  }

  function logSteps(steps: readonly Step[]): void {
    if (steps.length > maxLoggedSteps) log.info(`Changed the tables to match the definitions (${steps.length} steps).`);
    else for (const step of steps) log.info(step.text);
  }

  function logProblems(problems: readonly DefinitionProblem[]): void {
    const before = new Set(faults.map(describeProblem));
    const left = new Set(problems.map(({ file }) => file));
    const repaired = new Set(faults.map(({ file }) => file).filter((file) => !left.has(file)));
    for (const file of repaired) log.info(`${file} is valid again and active.`);
    for (const fault of problems) {
      if (!before.has(describeProblem(fault)))
        log.error(`${describeProblem(fault)} The last valid version stays active.`);
    }
  }

  async function scan(): Promise<void> {
    const found = readDefinitionFolders(folders);
    const content = JSON.stringify(found);
    if (content === lastScan) return;
    lastScan = content;
    files = found;
    shipped = shippedTexts(found.definitions, lastGood, validateSource);
    await reload(true);
  }

  function rescan(): void {
    clearTimeout(scanRetry);
    runExclusive(scan).catch((error: Error) => {
      lastScan = '';
      log.error(`The definitions could not be reloaded: ${error.message}`);
      // Problems in files are fixed by the next change of a file; other errors may be temporary.
      if (error instanceof DefinitionsError) faults = error.problems;
      else if (!closed) scanRetry = setTimeout(rescan, RETRY_INTERVAL);
    });
  }

  /** Reloads after another server changed stored definitions, or may have. */
  function onRemoteChange(): void {
    clearTimeout(retry);
    // Notifications before the first scan need no action: the scan reads everything.
    runExclusive(async () => (inForce.registry.version > 0 ? reload(false) : undefined)).catch((error: Error) => {
      log.error(`Changes of another server could not be loaded: ${error.message}`);
      if (!closed) retry = setTimeout(onRemoteChange, RETRY_INTERVAL);
    });
  }

  const stopListening = await database.listen(CHANNEL, (payload) => {
    if (payload !== origin) onRemoteChange();
  });
  await runExclusive(scan).catch(async (error: unknown) => {
    await stopListening();
    throw error;
  });
  const stopWatching = watchDefinitionFolders(folders, log, rescan);

  const stageOptions = () => ({
    files,
    folders,
    good: lastGood,
    shipped,
    refused,
    validate,
    requiredFields: options.requiredFields,
    roleLevels: options.roleLevels,
    version: inForce.registry.version,
  });

  return {
    registry: () => inForce.registry,
    sources: () => inForce.sources,
    shippedSources: () => shipped,
    problems: () => faults,
    pendingSwap: () => registrySwap.whenDone(),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    dryRun: (run) =>
      database.transaction(async (trx) => {
        await sql`set transaction read only`.execute(trx);
        await allowLongStatements(trx);
        return run(await openStage(trx, stageOptions()));
      }),
    change: (name, run) =>
      runExclusive(async () => {
        const next = await database.transaction(async (trx) => {
          await lockSchema(trx);
          const outcome = await run(await openStage(trx, stageOptions()));
          if (!outcome) return undefined;
          await storeRows(trx, outcome.registry, readShippedRows(outcome.registry, files, folders).shipped);
          await database.notify(CHANNEL, origin, trx);
          // Values may have changed, which invalidates cached counts.
          live.publish({ resource: name, id: 0, event: 'changed' }, trx);
          registrySwap.beforeCommit();
          return outcome;
        });
        if (!next) return;
        activate(next, name);
        buildInBackground();
        // Candidates that did not fit the previous definitions may fit now.
        if (faults.length > 0) onRemoteChange();
      }),
    async close() {
      closed = true;
      stopWatching();
      clearTimeout(retry);
      clearTimeout(scanRetry);
      await stopListening();
      await queue;
    },
  };
}

function changedNames(before: readonly Candidate[], after: readonly Candidate[]): string[] {
  const texts = (candidates: readonly Candidate[]) =>
    new Map(candidates.map(({ file, text }) => [definitionName(file), text]));
  const [old, fresh] = [texts(before), texts(after)];
  return [...new Set([...old.keys(), ...fresh.keys()])].filter((name) => old.get(name) !== fresh.get(name));
}

/** How many changes of one definition are logged; others are only counted. */
const maxLoggedChanges = 12;

/** Logs the changes of newly activated definitions, one line each. */
function logChanges(
  log: Pick<Logger, 'info'>,
  names: readonly string[],
  before: ReadonlyMap<string, Source>,
  after: ReadonlyMap<string, Source>,
): void {
  for (const name of names) {
    const source = after.get(name);
    if (!source) log.info(`${name}: no longer active.`);
    else log.info(`${name}: ${describeChanges(before.get(name), source)}.`);
  }
}

function describeChanges(before: Source | undefined, after: Source): string {
  if (!before) return 'new module';
  const changes = diffDefinitions(before, after).map(({ kind, subject, text }) => `${subject} ${text || kind}`);
  if (changes.length === 0) return 'only the formatting changed';
  const more = changes.length > maxLoggedChanges ? [`${changes.length - maxLoggedChanges} more changes`] : [];
  return [...changes.slice(0, maxLoggedChanges), ...more].join('; ');
}
