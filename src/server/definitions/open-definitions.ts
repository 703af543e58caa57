import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Definition } from '../../engine/definitions/definition';
import { createRegistry, type Registry } from '../../engine/registry/registry';
import type { Database, Queries, Transaction } from '../database/database';
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
import { createDefinitionsValidator, skipChecked, type DefinitionsValidator } from './active-definitions';
import { openReleases, type Standing } from './releases';
import { loadCheckedTexts, type CheckedTexts } from './checked-texts';
import { readShippedRows, storeShippedRows } from './shipped-rows';
import { createSourceValidator } from './source-validator';
import { RegistrySwap } from './registry-swap';
import { openStage, type DefinitionSet, type Stage } from './stage';
import { loadFormerTexts, loadStoredModules } from './stored-modules';
import { type ShippedTexts, mergedTexts, shippedTexts, storeShippedDefinitions, pendingUpgrades } from './upgrades';
import type { Source } from '../../engine/language/source';
import { diffDefinitions } from '../../engine/studio/diff-definitions';
import { getOrThrow, requireValue } from '../../engine/values/lookups';

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
  const { kysely } = options.database;
  const checked = await loadCheckedTexts(kysely, [options.hooks, options.paths, options.exportFormats]);
  const loader = new DefinitionLoader(options, checked, await loadLastGoodTexts(kysely));
  const close = await loader.start();
  return {
    registry: () => loader.inForce.registry,
    sources: () => loader.inForce.sources,
    shippedSources: () => loader.shippedTexts,
    problems: () => loader.faults,
    isOlder: () => loader.standing?.role === 'older',
    pendingSwap: () => loader.registrySwap.whenDone(),
    onChange(listener) {
      loader.listeners.add(listener);
      return () => loader.listeners.delete(listener);
    },
    dryRun: (run) => loader.dryRun(run),
    change: (name, run) => loader.change(name, run),
    close,
  };
}

/** Loads the definitions, and keeps what is active at the moment. */
class DefinitionLoader {
  inForce: DefinitionSet = { registry: createRegistry([], 0), sources: new Map(), texts: [] };
  shippedTexts: ShippedTexts = new Map();
  faults: readonly DefinitionProblem[] = [];
  /** The version of this program among those on the database; undefined before the first load. */
  standing: Standing | undefined;
  readonly registrySwap = new RegistrySwap();
  readonly listeners = new Set<(registry: Registry) => void>();
  private readonly validateSource = createSourceValidator();
  private readonly validate: DefinitionsValidator;
  /** The name of this server in notifications. */
  private readonly origin = randomUUID();
  private readonly releases: ReturnType<typeof openReleases>;
  private lastScan = '';
  private files: DefinitionFiles = { definitions: [], rows: [] };
  private refusedCandidates: ReadonlySet<string> = new Set();
  private queue: Promise<unknown> = Promise.resolve();
  private building: Promise<unknown> = Promise.resolve();
  private retry: NodeJS.Timeout | undefined;
  private scanRetry: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(
    private readonly options: DefinitionsOptions,
    private readonly checked: CheckedTexts,
    private lastGood: LastGoodTexts,
  ) {
    this.validate = createDefinitionsValidator(
      this.validateSource,
      new Set(options.hooks),
      new Set(options.paths),
      new Set(options.exportFormats),
    );
    this.releases = openReleases({ isExclusive: options.isExclusive });
  }

  /** Loads the definitions, and follows their changes from then on. Returns a function that stops it. */
  async start(): Promise<() => Promise<void>> {
    const { database, folders, log } = this.options;
    const stopListening = await database.listen(CHANNEL, (payload) => {
      if (payload !== this.origin) this.onRemoteChange();
    });
    await this.runExclusive(() => this.scan()).catch(async (error: unknown) => {
      await stopListening();
      throw error;
    });
    const stopWatching = watchDefinitionFolders(folders, log, () => this.rescan());
    // If the database cannot be reached, the next beat comes in time.
    const beating = setInterval(() => void this.beat().catch(() => undefined), BEAT_INTERVAL).unref();
    return async () => {
      this.isClosed = true;
      stopWatching();
      clearInterval(beating);
      clearTimeout(this.retry);
      clearTimeout(this.scanRetry);
      await stopListening();
      await this.queue;
    };
  }

  dryRun<T>(run: (stage: Stage) => Promise<T>): Promise<T> {
    return this.options.database.transaction(async (trx) => {
      await sql`set transaction read only`.execute(trx);
      await allowLongStatements(trx);
      const releaseState = await this.findStanding(trx, { claim: false });
      return run(await openStage(trx, this.stageOptions(releaseState)));
    });
  }

  change(name: string, run: (stage: Stage) => Promise<DefinitionSet | undefined>): Promise<void> {
    return this.runExclusive(async () => {
      const next = await this.options.database.transaction(async (trx) => {
        await lockSchema(trx);
        const releaseState = await this.findStanding(trx, { claim: false });
        const stage = await openStage(trx, this.stageOptions(releaseState));
        const refusal = stage.refusalOf(name);
        if (refusal !== undefined) throw new Conflict(`${refusal} Nothing was changed.`);
        const outcome = await run(stage);
        if (!outcome) return undefined;
        const isOwn = (definition: Definition) => releaseState.role !== 'older' || definition.name === name;
        const { shipped: shippedRows } = readShippedRows(outcome.registry, this.files, this.options.folders);
        await this.storeRows(
          trx,
          [...outcome.registry.definitions.values()].filter(isOwn),
          shippedRows.filter(({ definition }) => isOwn(definition)),
        );
        await this.options.database.notify(CHANNEL, this.origin, trx);
        // Values may have changed, which invalidates cached counts.
        this.options.live.publish({ resource: name, id: 0, event: 'changed' }, trx);
        this.registrySwap.beforeCommit();
        return outcome;
      });
      if (!next) return;
      this.activate(next, name);
      this.buildInBackground();
      // Candidates that did not fit the previous definitions may fit now.
      if (this.faults.length > 0) this.onRemoteChange();
    });
  }

  /** Runs one task at a time, so that files, other servers and changes never interfere. */
  private runExclusive<T>(task: () => Promise<T>): Promise<T> {
    const turn = this.queue.then(() => this.registrySwap.run(task));
    this.queue = turn.catch(() => undefined);
    return turn;
  }

  /**
   * Reloads and activates everything. Only a scan of files (`isNew`) may store what they ship, and nothing is stored by a
   * version that is older than the one that owns the tables.
   */
  private async reload(isNew: boolean): Promise<void> {
    const result = await this.options.whenUnlocked(() =>
      this.options.database.transaction((trx) => this.resolveAndStore(trx, isNew)),
    );
    logStanding(this.options.log, this.standing, result.standing);
    this.standing = result.standing;
    this.logSteps(result.applied);
    this.logProblems(result.problems);
    for (const name of result.pending) {
      this.options.log.warn(`The upgrade of ${name} needs a decision in the studio: it conflicts with local changes.`);
    }
    this.refusedCandidates = result.refused;
    this.lastGood = result.texts;
    this.faults = result.problems;
    // After somebody has run the statement manually, saving the file again is enough.
    if (result.refused.size > 0) this.lastScan = '';
    const { registry, active } = result;
    this.activate({ registry, sources: active.sources, texts: active.texts });
    this.buildInBackground();
  }

  /** Resolves the definitions, syncs the tables, and stores what comes with them, in one transaction. */
  private async resolveAndStore(trx: Transaction, isNew: boolean) {
    await lockSchema(trx);
    const releaseState = isNew
      ? await this.releases.register(trx, this.shippedTexts)
      : await this.findStanding(trx, { claim: true });
    const isOwner = releaseState.role !== 'older';
    const ships = isOwner && (isNew || releaseState.isTakeover);
    const loadedModules = await loadStoredModules(trx);
    const storedModules = ships ? await applyRenames(trx, loadedModules, this.shippedTexts) : loadedModules;
    const candidates = listCandidates(this.files.definitions, this.lastGood, storedModules, {
      ...(ships && { mergedTexts: mergedTexts(storedModules, this.shippedTexts) }),
      ...(!isOwner && { formerTexts: await loadFormerTexts(trx) }),
    });
    const synced = await resolveAndSync(
      trx,
      candidates,
      skipChecked(this.validate, this.checked),
      this.inForce.registry.version + 1,
      releaseState.role,
    );
    const shippedRows = readShippedRows(synced.registry, this.files, this.options.folders);
    const problems = [...synced.active.problems, ...synced.problems, ...shippedRows.faults];
    if (this.lastGood.size === 0 && problems.length > 0) throw new DefinitionsError(problems);
    const texts = this.goodTexts(synced.active.texts);
    if (isOwner) {
      await this.storeRows(trx, [...synced.registry.definitions.values()], shippedRows.shipped);
      await saveLastGoodTexts(trx, texts);
      await this.checked.save(trx);
    }
    const changedDefinitions = ships
      ? await storeShippedDefinitions(trx, storedModules, this.shippedTexts, synced.active.texts)
      : [];
    if (changedDefinitions.length > 0) await this.options.database.notify(CHANNEL, this.origin, trx);
    this.registrySwap.beforeCommit();
    const pending = ships ? pendingUpgrades(storedModules, this.shippedTexts, synced.active.texts) : [];
    return { ...synced, standing: releaseState, problems, texts, pending };
  }

  /** Stores what definitions bring along: rows and default grants. */
  private async storeRows(
    trx: Transaction,
    definitions: readonly Definition[],
    rows: Parameters<typeof storeShippedRows>[1],
  ): Promise<void> {
    const insertedRows = await storeShippedRows(trx, rows);
    const modules = await createDefaultGrants(trx, definitions, this.options.roleLevels);
    // Grants of a module that was renamed have its new name.
    const isRenamed = ({ name, formerName }: Definition) =>
      formerName !== undefined && !this.inForce.registry.get(name);
    if (modules.length > 0 || definitions.some(isRenamed)) await this.options.onGranted?.(trx);
    for (const name of insertedRows) this.options.live.publish({ resource: name, id: 0, event: 'changed' }, trx);
  }

  /** The active texts of files; for a file overridden by a stored definition, its last active text. */
  private goodTexts(texts: readonly Candidate[]): LastGoodTexts {
    const fromFiles = texts.filter(({ origin }) => origin === 'file' || origin === 'good');
    const problems = new Map(fromFiles.map(({ file, text }) => [basename(file), text]));
    const lastGoodFiles = this.files.definitions
      .map(({ file }) => basename(file))
      .filter((file) => this.lastGood.has(file));
    return new Map([...lastGoodFiles.map((file) => [file, getOrThrow(this.lastGood, file)] as const), ...problems]);
  }

  private activate(next: DefinitionSet, publishedName?: string): void {
    const changedDefinitions = changedNames(this.inForce.texts, next.texts);
    const isSame = publishedName !== undefined && !changedDefinitions.includes(publishedName);
    if (changedDefinitions.length === 0 && !isSame && this.inForce.registry.version > 0) return;
    if (this.inForce.registry.version > 0)
      logChanges(this.options.log, changedDefinitions, this.inForce.sources, next.sources);
    // Another server may have changed the tables, so prepared statements are outdated.
    this.options.database.forgetPreparedStatements();
    this.inForce = next;
    for (const listener of this.listeners) listener(next.registry);
    // Only on this server, each announces it itself: a client that reacted earlier would get the old definitions.
    for (const name of changedDefinitions)
      this.options.live.publishLocally({ resource: definitionsResource, id: name, event: 'changed' });
    // A new version of the same text changes nothing for other servers.
    if (isSame) this.options.live.publish({ resource: definitionsResource, id: publishedName, event: 'changed' });
  }

  /** Builds deferred indexes. If it fails, the next start or change tries again. */
  private buildInBackground(): void {
    this.building = this.building
      .then(async () => {
        // An older version would build indexes that nobody wants any more.
        if (this.isClosed || this.standing?.role === 'older') return;
        for (const text of await buildDeferredIndexes(this.options.database, this.inForce.registry))
          this.options.log.info(`${text}: done in the background.`);
      })
      .catch(
        (error: Error) =>
          this.isClosed || this.options.log.warn(`Some indexes could not be built yet: ${error.message}`),
      );
  }

  private logSteps(steps: readonly Step[]): void {
    if (steps.length > maxLoggedSteps)
      this.options.log.info(`Changed the tables to match the definitions (${steps.length} steps).`);
    else for (const step of steps) this.options.log.info(step.text);
  }

  private logProblems(problems: readonly DefinitionProblem[]): void {
    const previousFaults = new Set(this.faults.map(describeProblem));
    const left = new Set(problems.map(({ file }) => file));
    const repaired = new Set(this.faults.map(({ file }) => file).filter((file) => !left.has(file)));
    for (const file of repaired) this.options.log.info(`${file} is valid again and active.`);
    for (const fault of problems) {
      if (!previousFaults.has(describeProblem(fault)))
        this.options.log.error(`${describeProblem(fault)} The last valid version stays active.`);
    }
  }

  private async scan(): Promise<void> {
    const readFiles = readDefinitionFolders(this.options.folders);
    const content = JSON.stringify(readFiles);
    if (content === this.lastScan) return;
    this.lastScan = content;
    this.files = readFiles;
    this.shippedTexts = shippedTexts(readFiles.definitions, this.lastGood, this.validateSource, this.checked);
    await this.reload(true);
  }

  private rescan(): void {
    clearTimeout(this.scanRetry);
    this.runExclusive(() => this.scan()).catch((error: Error) => {
      this.lastScan = '';
      this.options.log.error(`The definitions could not be reloaded: ${error.message}`);
      // Problems in files are fixed by the next change of a file; other errors may be temporary.
      if (error instanceof DefinitionsError) this.faults = error.problems;
      else if (!this.isClosed) this.scanRetry = setTimeout(() => this.rescan(), RETRY_INTERVAL);
    });
  }

  /** Reloads after another server changed stored definitions, or may have. */
  private onRemoteChange(): void {
    clearTimeout(this.retry);
    // Notifications before the first scan need no action: the scan reads everything.
    this.runExclusive(async () => (this.inForce.registry.version > 0 ? this.reload(false) : undefined)).catch(
      (error: Error) => {
        this.options.log.error(`Changes of another server could not be loaded: ${error.message}`);
        if (!this.isClosed) this.retry = setTimeout(() => this.onRemoteChange(), RETRY_INTERVAL);
      },
    );
  }

  /** Tells other servers that this one is there, and reloads if its standing among them has changed. */
  private async beat(): Promise<void> {
    if (!this.standing) return;
    await this.releases.beat(this.options.database.kysely, this.standing.release);
    const { role, mayTakeOver } = await this.findStanding(this.options.database.kysely, { claim: false });
    if (mayTakeOver || role !== this.standing.role) this.onRemoteChange();
  }

  private stageOptions(releaseState: Standing) {
    const { folders, requiredFields, roleLevels } = this.options;
    return {
      releaseState,
      files: this.files,
      folders,
      lastGoodTexts: this.lastGood,
      shippedTexts: this.shippedTexts,
      refusedCandidates: this.refusedCandidates,
      validate: this.validate,
      requiredFields,
      roleLevels,
      version: this.inForce.registry.version,
    };
  }

  private findStanding(queries: Queries, options: { readonly claim: boolean }): Promise<Standing> {
    const { release } = requireValue(this.standing, 'the standing of this version');
    return this.releases.find(queries, release, options);
  }
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
