import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Definition } from '../../engine/definitions/definition';
import { createRegistry, type Registry } from '../../engine/registry/registry';
import type { Database, Transaction } from '../database/database';
import type { WhenUnlocked } from '../database/lock-wait';
import { lockSchema } from '../database/schema-lock';
import { allowLongStatements } from '../database/timeouts';
import { Conflict } from '../errors/errors';
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
import { createDefinitionsValidator, skipChecked } from './active-definitions';
import { openReleases, type Standing } from './releases';
import { loadCheckedTexts } from './checked-texts';
import { readShippedRows, storeShippedRows } from './shipped-rows';
import { createSourceValidator } from './source-validator';
import { RegistrySwap } from './registry-swap';
import { openStage, type DefinitionSet } from './stage';
import { loadFormerTexts, loadStoredModules } from './stored-modules';
import { type ShippedTexts, mergedTexts, shippedTexts, storeShippedDefinitions, pendingUpgrades } from './upgrades';
import type { Source } from '../../engine/language/source';
import { diffDefinitions } from '../../engine/studio/diff-definitions';
import { getOrThrow } from '../../engine/values/lookups';

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
  /** Whether no other server can be on the database. */
  readonly isExclusive: boolean;
}

/** The channel on which servers on one database announce changes of stored definitions. */
const CHANNEL = 'assay_definitions';
/** Milliseconds after which a failed reload is tried again. */
const RETRY_INTERVAL = 2_000;
/** Milliseconds after which the other servers are told again that this one is there. */
const BEAT_INTERVAL = 60_000;
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
  const releases = openReleases({ isExclusive: options.isExclusive });
  let releaseState: Standing | undefined;
  const checked = await loadCheckedTexts(database.kysely, [options.hooks, options.paths, options.exportFormats]);
  let lastGood: LastGoodTexts = await loadLastGoodTexts(database.kysely);
  let lastScan = '';
  let files: DefinitionFiles = { definitions: [], rows: [] };
  let currentShippedTexts: ShippedTexts = new Map();
  let refusedCandidates: ReadonlySet<string> = new Set();
  let inForce: DefinitionSet = { registry: createRegistry([], 0), sources: new Map(), texts: [] };
  let faults: readonly DefinitionProblem[] = [];
  let queue: Promise<unknown> = Promise.resolve();
  let retry: NodeJS.Timeout | undefined;
  let scanRetry: NodeJS.Timeout | undefined;
  let building: Promise<unknown> = Promise.resolve();
  let isClosed = false;

  /** Runs one task at a time, so that files, other servers and changes never interfere. */
  function runExclusive<T>(task: () => Promise<T>): Promise<T> {
    const turn = queue.then(() => registrySwap.run(task));
    queue = turn.catch(() => undefined);
    return turn;
  }

  /**
   * Reloads and activates everything. Only a scan of files (`isNew`) may store what they ship, and nothing is stored by a
   * version that is older than the one that owns the tables.
   */
  async function reload(isNew: boolean): Promise<void> {
    const first = lastGood.size === 0;
    const change = async (trx: Transaction) => {
      await lockSchema(trx);
      const now = isNew
        ? await releases.register(trx, currentShippedTexts)
        : await releases.find(trx, releaseState!.release, { claim: true });
      const isOwner = now.role !== 'older';
      const ships = isOwner && (isNew || now.isTakeover);
      const loadedModules = await loadStoredModules(trx);
      const storedModules = ships ? await applyRenames(trx, loadedModules, currentShippedTexts) : loadedModules;
      const candidates = listCandidates(files.definitions, lastGood, storedModules, {
        ...(ships && { mergedTexts: mergedTexts(storedModules, currentShippedTexts) }),
        ...(!isOwner && { formerTexts: await loadFormerTexts(trx) }),
      });
      const synced = await resolveAndSync(
        trx,
        candidates,
        skipChecked(validate, checked),
        inForce.registry.version + 1,
        now.role,
      );
      const rows = readShippedRows(synced.registry, files, folders);
      const problems = [...synced.active.problems, ...synced.problems, ...rows.faults];
      if (first && problems.length > 0) throw new DefinitionsError(problems);
      const texts = goodTexts(synced.active.texts);
      if (isOwner) {
        await storeRows(trx, [...synced.registry.definitions.values()], rows.shipped);
        await saveLastGoodTexts(trx, texts);
        await checked.save(trx);
      }
      const changedDefinitions = ships
        ? await storeShippedDefinitions(trx, storedModules, currentShippedTexts, synced.active.texts)
        : [];
      if (changedDefinitions.length > 0) await database.notify(CHANNEL, origin, trx);
      registrySwap.beforeCommit();
      const pending = ships ? pendingUpgrades(storedModules, currentShippedTexts, synced.active.texts) : [];
      return { ...synced, releaseState: now, now: problems, texts, waiting: pending };
    };
    const result = await whenUnlocked(() => database.transaction(change));
    logStanding(log, releaseState, result.releaseState);
    ({ releaseState } = result);
    logSteps(result.applied);
    logProblems(result.now);
    for (const name of result.waiting) {
      log.warn(`The upgrade of ${name} needs a decision in the studio: it conflicts with local changes.`);
    }
    ({ refused: refusedCandidates } = result);
    lastGood = result.texts;
    faults = result.now;
    // After somebody has run the statement manually, saving the file again is enough.
    if (result.refused.size > 0) lastScan = '';
    const { registry, active } = result;
    activate({ registry, sources: active.sources, texts: active.texts });
    buildInBackground();
  }

  /** Stores what definitions bring along: rows and default grants. */
  async function storeRows(
    trx: Transaction,
    definitions: readonly Definition[],
    rows: Parameters<typeof storeShippedRows>[1],
  ): Promise<void> {
    const insertedRows = await storeShippedRows(trx, rows);
    const modules = await createDefaultGrants(trx, definitions, options.roleLevels);
    // Grants of a module that was renamed have its new name.
    const isRenamed = ({ name, formerName }: Definition) => formerName !== undefined && !inForce.registry.get(name);
    if (modules.length > 0 || definitions.some(isRenamed)) await options.onGranted?.(trx);
    for (const name of insertedRows) live.publish({ resource: name, id: 0, event: 'changed' }, trx);
  }

  /** The active texts of files; for a file overridden by a stored definition, its last active text. */
  function goodTexts(texts: readonly Candidate[]): LastGoodTexts {
    const fromFiles = texts.filter(({ origin }) => origin === 'file' || origin === 'good');
    const problems = new Map(fromFiles.map(({ file, text }) => [basename(file), text]));
    const lastGoodFiles = files.definitions.map(({ file }) => basename(file)).filter((file) => lastGood.has(file));
    return new Map([...lastGoodFiles.map((file) => [file, getOrThrow(lastGood, file)] as const), ...problems]);
  }

  function activate(next: DefinitionSet, publishedName?: string): void {
    const changedDefinitions = changedNames(inForce.texts, next.texts);
    const isSame = publishedName !== undefined && !changedDefinitions.includes(publishedName);
    if (changedDefinitions.length === 0 && !isSame && inForce.registry.version > 0) return;
    if (inForce.registry.version > 0) logChanges(log, changedDefinitions, inForce.sources, next.sources);
    // Another server may have changed the tables, so prepared statements are outdated.
    database.forgetPreparedStatements();
    inForce = next;
    for (const listener of listeners) listener(next.registry);
    // Only on this server, each announces it itself: a client that reacted earlier would get the old definitions.
    for (const name of changedDefinitions)
      live.publishLocally({ resource: definitionsResource, id: name, event: 'changed' });
    // A new version of the same text changes nothing for other servers.
    if (isSame) live.publish({ resource: definitionsResource, id: publishedName, event: 'changed' });
  }

  /** Builds deferred indexes. If it fails, the next start or change tries again. */
  function buildInBackground(): void {
    building = building
      .then(async () => {
        // An older version would build indexes that nobody wants any more.
        if (isClosed || releaseState?.role === 'older') return;
        for (const text of await buildDeferredIndexes(database, inForce.registry))
          log.info(`${text}: done in the background.`);
      })
      .catch((error: Error) => isClosed || log.warn(`Some indexes could not be built yet: ${error.message}`));
  }

  function logSteps(steps: readonly Step[]): void {
    if (steps.length > maxLoggedSteps) log.info(`Changed the tables to match the definitions (${steps.length} steps).`);
    else for (const step of steps) log.info(step.text);
  }

  function logProblems(problems: readonly DefinitionProblem[]): void {
    const previousFaults = new Set(faults.map(describeProblem));
    const left = new Set(problems.map(({ file }) => file));
    const repaired = new Set(faults.map(({ file }) => file).filter((file) => !left.has(file)));
    for (const file of repaired) log.info(`${file} is valid again and active.`);
    for (const fault of problems) {
      if (!previousFaults.has(describeProblem(fault)))
        log.error(`${describeProblem(fault)} The last valid version stays active.`);
    }
  }

  async function scan(): Promise<void> {
    const readFiles = readDefinitionFolders(folders);
    const content = JSON.stringify(readFiles);
    if (content === lastScan) return;
    lastScan = content;
    files = readFiles;
    currentShippedTexts = shippedTexts(readFiles.definitions, lastGood, validateSource, checked);
    await reload(true);
  }

  function rescan(): void {
    clearTimeout(scanRetry);
    runExclusive(scan).catch((error: Error) => {
      lastScan = '';
      log.error(`The definitions could not be reloaded: ${error.message}`);
      // Problems in files are fixed by the next change of a file; other errors may be temporary.
      if (error instanceof DefinitionsError) faults = error.problems;
      else if (!isClosed) scanRetry = setTimeout(rescan, RETRY_INTERVAL);
    });
  }

  /** Reloads after another server changed stored definitions, or may have. */
  function onRemoteChange(): void {
    clearTimeout(retry);
    // Notifications before the first scan need no action: the scan reads everything.
    runExclusive(async () => (inForce.registry.version > 0 ? reload(false) : undefined)).catch((error: Error) => {
      log.error(`Changes of another server could not be loaded: ${error.message}`);
      if (!isClosed) retry = setTimeout(onRemoteChange, RETRY_INTERVAL);
    });
  }

  /** Tells other servers that this one is there, and reloads if its standing among them has changed. */
  async function beat(): Promise<void> {
    if (!releaseState) return;
    await releases.beat(database.kysely, releaseState.release);
    const { role, mayTakeOver } = await releases.find(database.kysely, releaseState.release, { claim: false });
    if (mayTakeOver || role !== releaseState.role) onRemoteChange();
  }

  const stopListening = await database.listen(CHANNEL, (payload) => {
    if (payload !== origin) onRemoteChange();
  });
  await runExclusive(scan).catch(async (error: unknown) => {
    await stopListening();
    throw error;
  });
  const stopWatching = watchDefinitionFolders(folders, log, rescan);
  // If the database cannot be reached, the next beat comes in time.
  const beating = setInterval(() => void beat().catch(() => undefined), BEAT_INTERVAL).unref();

  const stageOptions = (now: Standing) => ({
    releaseState: now,
    files,
    folders,
    lastGoodTexts: lastGood,
    shippedTexts: currentShippedTexts,
    refusedCandidates,
    validate,
    requiredFields: options.requiredFields,
    roleLevels: options.roleLevels,
    version: inForce.registry.version,
  });

  return {
    registry: () => inForce.registry,
    sources: () => inForce.sources,
    shippedSources: () => currentShippedTexts,
    problems: () => faults,
    isOlder: () => releaseState?.role === 'older',
    pendingSwap: () => registrySwap.whenDone(),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    dryRun: (run) =>
      database.transaction(async (trx) => {
        await sql`set transaction read only`.execute(trx);
        await allowLongStatements(trx);
        const now = await releases.find(trx, releaseState!.release, { claim: false });
        return run(await openStage(trx, stageOptions(now)));
      }),
    change: (name, run) =>
      runExclusive(async () => {
        const next = await database.transaction(async (trx) => {
          await lockSchema(trx);
          const now = await releases.find(trx, releaseState!.release, { claim: false });
          const stage = await openStage(trx, stageOptions(now));
          const refusal = stage.refusalOf(name);
          if (refusal !== undefined) throw new Conflict(`${refusal} Nothing was changed.`);
          const outcome = await run(stage);
          if (!outcome) return undefined;
          const isOwn = (definition: Definition) => now.role !== 'older' || definition.name === name;
          const { shipped: shippedRows } = readShippedRows(outcome.registry, files, folders);
          await storeRows(
            trx,
            [...outcome.registry.definitions.values()].filter(isOwn),
            shippedRows.filter(({ definition }) => isOwn(definition)),
          );
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
      isClosed = true;
      stopWatching();
      clearInterval(beating);
      clearTimeout(retry);
      clearTimeout(scanRetry);
      await stopListening();
      await queue;
    },
  };
}

function changedNames(previousTexts: readonly Candidate[], nextTexts: readonly Candidate[]): string[] {
  const texts = (candidates: readonly Candidate[]) =>
    new Map(candidates.map(({ file, text }) => [definitionName(file), text]));
  const [previousByName, nextByName] = [texts(previousTexts), texts(nextTexts)];
  return [...new Set([...previousByName.keys(), ...nextByName.keys()])].filter(
    (name) => previousByName.get(name) !== nextByName.get(name),
  );
}

/** Logs that another version owns the tables now, or no longer does. */
function logStanding(log: Pick<Logger, 'info' | 'warn'>, previousState: Standing | undefined, now: Standing): void {
  if (now.role === 'older' && previousState?.role !== 'older')
    log.warn(
      'A newer version of the program is used on this database: this one leaves its tables and definitions as they are, until no newer one was seen for ten minutes.',
    );
  if (now.role !== 'older' && previousState?.role === 'older')
    log.info('This version of the program owns the tables of this database again.');
}

/** How many changes of one definition are logged; others are only counted. */
const maxLoggedChanges = 12;

/** Logs the changes of newly activated definitions, one line each. */
function logChanges(
  log: Pick<Logger, 'info'>,
  names: readonly string[],
  previousSources: ReadonlyMap<string, Source>,
  nextSources: ReadonlyMap<string, Source>,
): void {
  for (const name of names) {
    const source = nextSources.get(name);
    if (!source) log.info(`${name}: no longer active.`);
    else log.info(`${name}: ${describeChanges(previousSources.get(name), source)}.`);
  }
}

function describeChanges(previousSource: Source | undefined, nextSource: Source): string {
  if (!previousSource) return 'new module';
  const changes = diffDefinitions(previousSource, nextSource).map(
    ({ kind, subject, text }) => `${subject} ${text || kind}`,
  );
  if (changes.length === 0) return 'only the formatting changed';
  const overflow = changes.length > maxLoggedChanges ? [`${changes.length - maxLoggedChanges} more changes`] : [];
  return [...changes.slice(0, maxLoggedChanges), ...overflow].join('; ');
}
