import type { Logger } from 'pino';
import { openDatabase, type Transaction } from './database/database';
import { followConnections } from './database/cancel';
import { awaitDatabase } from './database/await-database';
import { startErrorOf } from './database/connection-errors';
import { startEmbedded, type Embedded } from './database/embedded/start-embedded';
import { migrate } from './database/migrate';
import { checkSameDatabase, checkSessions } from './database/check-pooler';
import { openProbe, type Probe } from './database/probe';
import { openDefinitions } from './definitions/live-definitions';
import type { RoleLevel } from './definitions/default-grants';
import { openFiles } from './files/files';
import { scheduleSweeps } from './files/sweep';
import { openLiveHub } from './live/hub';
import type { JobKind } from './jobs/job';
import { openJobs } from './jobs/queue';
import { folderError, makeDataFolder } from './lifecycle/data-folder';
import { openHealth, type Health } from './lifecycle/health';
import type { Hooks, Program } from './program';
import { followWrites } from './records/totals';
import { dropOldRowsDaily } from './retention/retention';
import { forgetOldLinesDaily } from './security-log/retention';
import { waitingLinesOf } from './security-log/waiting-lines';
import type { Settings } from './settings/settings';

/** The product's own parts: everything that may name a specific resource. */
export interface Domain {
  readonly hooks: Hooks;
  roleLevels(trx: Transaction): Promise<readonly RoleLevel[]>;
  granted(database: Program['database'], trx: Transaction): Promise<void>;
  prepareData(program: Program): Promise<void>;
  /** Kinds of background jobs. */
  jobKinds(program: Program): readonly JobKind[];
}

/** A started program: database, definitions and data are ready. */
export interface RunningProgram {
  readonly program: Program;
  /** Asks the database to cancel the running statements of requests and jobs. */
  cancelStatements(): void;
  /** Undefined if DATABASE_URL is set. */
  readonly embedded?: Embedded;
  /** Checks whether the database accepts writes. */
  readonly probe: Probe;
  /** Closes everything, the embedded database last. */
  stop(): Promise<void>;
}

export interface StartOptions {
  readonly domain: Domain;
  /** The folder with definitions and shipped rows. */
  readonly folder: string;
  readonly log: Logger;
  /** For tests: a faster embedded database that is not crash-safe. */
  readonly fast?: boolean;
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
  const { domain, folder, log, fast, health = openHealth(), signal = new AbortController().signal } = options;
  const started: (() => unknown)[] = [];
  const stop = async () => {
    while (started.length > 0) await started.pop()!();
  };
  try {
    const { databaseUrl, databaseDirectUrl: directUrl, operation } = settings;
    if (databaseUrl === undefined || settings.s3 === undefined) makeDataFolder(settings.dataDir);
    if (databaseUrl !== undefined) await awaitDatabase(databaseUrl, operation.databaseWait, log, signal);
    if (databaseUrl !== undefined && directUrl !== undefined) await checkSameDatabase(databaseUrl, directUrl);
    const embedded =
      databaseUrl === undefined ? await startEmbedded({ dataDir: settings.dataDir, log, fast }) : undefined;
    if (embedded) started.push(() => embedded.stop());
    const url = databaseUrl ?? embedded!.url;
    const database = openDatabase(url, log, { slowAfter: operation.slowStatementMs, directUrl });
    const cancelStatements = followConnections(database.pool);
    started.push(() => database.close());
    if (databaseUrl !== undefined) await checkSessions(database, databaseUrl);
    const probe = openProbe(url);
    started.push(() => probe.close());
    started.push(() => waitingLinesOf(database, log).close());
    await migrate(database).catch(async (error: unknown) => {
      throw databaseUrl !== undefined && isOfServer(error) ? await startErrorOf(error, databaseUrl) : error;
    });
    const live = await openLiveHub(database, log);
    started.push(() => live.close());
    const definitions = await openDefinitions({
      folder,
      database,
      live,
      log,
      hooks: Object.keys(domain.hooks),
      roleLevels: (trx) => domain.roleLevels(trx),
      granted: (trx) => domain.granted(database, trx),
    });
    started.push(() => definitions.close());
    const files = await openFiles(settings, database, log);
    const jobs = openJobs({ database, live, settings, log });
    const program: Program = { settings, database, definitions, live, files, jobs, hooks: domain.hooks, health, log };
    started.push(followWrites(database, live));
    await domain.prepareData(program);
    started.push(await scheduleSweeps(program));
    started.push(forgetOldLinesDaily(program));
    started.push(dropOldRowsDaily(program));
    started.push(() => jobs.stop());
    await jobs.start(domain.jobKinds(program));
    if (options.health === undefined) health.running(probe.trouble);
    return { program, cancelStatements, probe, embedded, stop };
  } catch (error) {
    await stop();
    throw folderError(error, settings.dataDir);
  }
}

/** Whether an error is caused by the server at DATABASE_URL: missing rights, a missing extension, no space. */
function isOfServer(error: unknown): boolean {
  return ['42501', '0A000', '58P01', '53100', '25006'].includes((error as { code?: string }).code ?? '');
}
