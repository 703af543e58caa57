import type { Logger } from 'pino';
import { registerFieldTypes } from '../engine/field-types';
import { prepareData } from './accounts/first-start';
import { clearAccessCache } from './accounts/session/access-cache';
import { roleLevels } from './accounts/users/accounts';
import { requiredSystemFields } from './accounts/users/required-fields';
import { openDatabase } from './database/database';
import { trackConnections } from './database/cancel-queries';
import { awaitDatabase } from './database/await-database';
import { toStartError } from './database/connection-errors';
import { startEmbedded, type EmbeddedServer } from './database/embedded/start-embedded';
import { createLockWait, type WhenUnlocked } from './database/lock-wait';
import { migrate } from './database/migrate';
import { checkSameDatabase, checkSessions } from './database/check-pooler';
import { openProbe, type Probe } from './database/probe';
import { systemFolder } from './definitions/folder';
import { openDefinitions } from './definitions/open-definitions';
import { assertSystemNamesAreFree } from './definitions/system-names';
import { openFiles } from './files/files';
import { clamScanner } from './files/scanner';
import { sweepFiles } from './files/sweep';
import { endInterruptedImports, importHistory } from './imports/import-history';
import { createImportKind } from './imports/import-job';
import { openLiveHub } from './live/hub';
import { deleteOldRuns, startAutomation } from './automation/automation';
import { startDueAutomations } from './automation/schedules';
import { systemHooks } from './system-hooks';
import { openQueue } from './queue/queue';
import type { PeriodicWork } from './queue/periodic-work';
import { sweepCommentFiles } from './comments/comment-files';
import { purgeDeletions } from './records/write/deletions';
import { purgeDeletedComments } from './comments/comments';
import { tellOfDeletion } from './comments/tell-of-deletion';
import { watchedChangesWork } from './comments/watched-changes';
import { createJobQueue } from './jobs/queue';
import { deleteOldJobs } from './jobs/store';
import { toFolderError, createDataFolder } from './lifecycle/data-folder';
import { createHealth, type Health } from './lifecycle/health';
import type { Product, Program } from './program';
import { invalidateOnWrites } from './sql/query-cache';
import { deleteOldMails } from './mail/outbox-store';
import { digestWork } from './notifications/digests';
import { deleteOldRows } from './retention/retention';
import { deleteOldLogEntries } from './security-log/retention';
import { entryBufferOf } from './security-log/entry-buffer';
import type { Settings } from './settings/settings';
import { requireValue } from '../engine/values/lookups';

/** A started program: database, definitions and data are ready. */
export interface RunningProgram {
  readonly program: Program;
  /** Asks the database to cancel the running statements of requests and jobs. */
  cancelStatements(): void;
  /** Runs what the start needs beside this, as long as others hold locks that it waits for. */
  readonly whenUnlocked: WhenUnlocked;
  /** Undefined if DATABASE_URL is set. */
  readonly embedded?: EmbeddedServer;
  /** Checks whether the database accepts writes. */
  readonly probe: Probe;
  /** Closes everything, the embedded database last. */
  stop(): Promise<void>;
}

type RequiredFields = Product['requiredFields'];

export interface StartOptions {
  readonly product: Product;
  readonly log: Logger;
  /** For tests: a faster embedded database that is not crash-safe. */
  readonly unsafeFast?: boolean;
  /** Health checks that already answer before the program has started. */
  readonly health?: Health;
  /** Aborts a start that is waiting for its database. */
  readonly signal?: AbortSignal;
}

/**
 * Starts everything except HTTP, in the order of dependencies. If a step fails, everything started before it is
 * stopped.
 */
export async function startProgram(settings: Settings, options: StartOptions): Promise<RunningProgram> {
  const { product, log, unsafeFast, health = createHealth(), signal = new AbortController().signal } = options;
  const hooks = { ...systemHooks, ...product.hooks };
  const cleanups: (() => unknown)[] = [];
  const stop = async () => {
    for (let cleanup = cleanups.pop(); cleanup; cleanup = cleanups.pop()) await cleanup();
  };
  try {
    cleanups.push(registerFieldTypes(product.fieldTypes ?? {}));
    const { databaseUrl, databaseDirectUrl: directUrl, databaseReadUrls: readUrls, operation } = settings;
    if (databaseUrl === undefined || settings.s3 === undefined) createDataFolder(settings.dataDir);
    if (databaseUrl !== undefined) await awaitDatabase(databaseUrl, operation.databaseWait, log, signal);
    if (databaseUrl !== undefined && directUrl !== undefined) await checkSameDatabase(databaseUrl, directUrl);
    const embedded =
      databaseUrl === undefined ? await startEmbedded({ dataDir: settings.dataDir, log, fast: unsafeFast }) : undefined;
    if (embedded) cleanups.push(() => embedded.stop());
    const url = databaseUrl ?? requireValue(embedded, 'the embedded database').url;
    const database = openDatabase(url, log, { slowAfter: operation.slowStatementMs, directUrl, readUrls });
    const { cancelStatements: cancelOnPrimary, processIds } = trackConnections(database.pool);
    const replicaConnections = database.replicas?.pools.map(trackConnections) ?? [];
    const cancelStatements = () => {
      cancelOnPrimary();
      for (const connections of replicaConnections) connections.cancelStatements();
    };
    const whenUnlocked = createLockWait({
      pool: database.pool,
      processIds: directUrl === undefined ? processIds : () => undefined,
      limit: operation.databaseWait,
      log,
      signal,
    });
    cleanups.push(() => database.close());
    if (databaseUrl !== undefined) await checkSessions(database, databaseUrl);
    const probe = openProbe(url);
    cleanups.push(() => probe.close());
    cleanups.push(() => entryBufferOf(database, log).close());
    const folders = { system: systemFolder, product: product.folder };
    await whenUnlocked(() => assertSystemNamesAreFree(database.kysely, folders));
    await whenUnlocked(() => migrate(database)).catch(async (error: unknown) => {
      throw databaseUrl !== undefined && isServerProblem(error) ? await toStartError(error, databaseUrl) : error;
    });
    const live = await openLiveHub(database, log);
    cleanups.push(() => live.close());
    const definitions = await openDefinitions({
      folders,
      database,
      live,
      log,
      hooks: Object.keys(hooks),
      exportFormats: Object.keys(product.exportFormats ?? {}),
      paths: product.paths ?? [],
      requiredFields: mergeRequiredFields(requiredSystemFields, product.requiredFields),
      roleLevels,
      onGranted: (trx) => clearAccessCache(database, trx),
      whenUnlocked,
      isExclusive: databaseUrl === undefined,
    });
    cleanups.push(() => definitions.close());
    const scanners = [
      ...(settings.virusScanner ? [clamScanner(settings.virusScanner)] : []),
      ...(product.scanFile ? [product.scanFile] : []),
    ];
    const files = await whenUnlocked(() => openFiles(settings, database, log, scanners));
    const queue = await whenUnlocked(() => openQueue(database, log));
    cleanups.push(() => queue.stop());
    const jobs = createJobQueue({ database, live, queue, settings, log });
    const parts = { settings, product, database, definitions, live, files, jobs, queue, hooks, health, log };
    const program: Program = { ...parts, tellOfDeletion: (...deletion) => tellOfDeletion(program, ...deletion) };
    cleanups.push(invalidateOnWrites(database, live));
    await whenUnlocked(() => endInterruptedImports(program));
    await whenUnlocked(() => prepareData(program));
    cleanups.push(() => jobs.stop());
    await jobs.start([createImportKind(program, importHistory)]);
    cleanups.push(startAutomation(program));
    // Of this server alone: the folder may be on a disk of its own.
    await files.temporary.sweep();
    await whenUnlocked(() => queue.repeat(periodicWork(program)));
    if (options.health === undefined) health.markRunning(probe.trouble);
    return { program, cancelStatements, whenUnlocked, probe, embedded, stop };
  } catch (error) {
    await stop();
    throw toFolderError(error, settings.dataDir);
  }
}

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** The work that the engine repeats at intervals. */
function periodicWork(program: Program): readonly PeriodicWork[] {
  const { kysely } = program.database;
  const { retentionDays } = program.settings.jobs;
  return [
    {
      name: 'automation-schedules',
      every: minute / 2,
      failure: 'Schedules could not be looked at',
      run: () => startDueAutomations(program),
    },
    digestWork(program),
    watchedChangesWork(program),
    {
      name: 'old-jobs',
      every: hour,
      failure: 'Old jobs could not be deleted',
      run: () => deleteOldJobs(kysely, retentionDays),
    },
    {
      name: 'old-mails',
      every: hour,
      failure: 'Old mails could not be deleted',
      run: () => deleteOldMails(kysely, retentionDays),
    },
    {
      name: 'old-runs',
      every: hour,
      failure: 'Old runs could not be deleted',
      run: () => deleteOldRuns(program),
    },
    {
      name: 'unused-files',
      every: day,
      failure: 'Unused files could not be deleted',
      run: async () => {
        await sweepFiles(program);
        await sweepCommentFiles(program);
      },
    },
    {
      name: 'old-log-entries',
      every: day,
      failure: 'Old entries of the security log could not be deleted',
      run: () => deleteOldLogEntries(program),
    },
    {
      name: 'deleted-records',
      every: hour,
      failure: 'Records that were deleted a while ago could not be removed for good',
      run: () => purgeDeletions(program),
    },
    {
      name: 'deleted-comments',
      every: day,
      failure: 'Comments that were deleted long ago could not be removed',
      run: () => purgeDeletedComments(kysely),
    },
    {
      name: 'history-and-notifications',
      every: day,
      failure: 'Old history and notifications could not be deleted, and are kept',
      run: () => deleteOldRows(program),
    },
  ];
}

/** The fields that the system's code uses, and those that the product's uses, of the system's resources too. */
function mergeRequiredFields(system: RequiredFields, product: RequiredFields): RequiredFields {
  const combinedEntries = Object.entries(product).map(
    ([name, fields]) => [name, [...(system[name] ?? []), ...fields]] as const,
  );
  return { ...system, ...Object.fromEntries(combinedEntries) };
}

/** Whether an error is caused by the server at DATABASE_URL: missing rights, a missing extension, no space. */
function isServerProblem(error: unknown): boolean {
  return ['42501', '0A000', '58P01', '53100', '25006'].includes((error as { code?: string }).code ?? '');
}
