import type { Logger } from 'pino';
import { openDatabase, type Transaction } from './database/database';
import { startEmbedded } from './database/embedded/start-embedded';
import { migrate } from './database/migrate';
import { openDefinitions } from './definitions/live-definitions';
import type { RoleLevel } from './definitions/default-grants';
import { openFiles } from './files/files';
import { sweepFiles } from './files/sweep';
import { openLiveHub } from './live/hub';
import type { JobKind } from './jobs/job';
import { openJobs } from './jobs/queue';
import type { Hooks, Program } from './program';
import { followWrites } from './records/totals';
import { waitingLinesOf } from './security-log/waiting-lines';
import type { Settings } from './settings/settings';

/** What the composition root gives: everything that may name a resource. */
export interface Domain {
  readonly hooks: Hooks;
  roleLevels(trx: Transaction): Promise<readonly RoleLevel[]>;
  granted(database: Program['database'], trx: Transaction): Promise<void>;
  prepareData(program: Program): Promise<void>;
  /** What is done besides requests. */
  jobKinds(program: Program): readonly JobKind[];
}

/** A program that stands: database, definitions and data. */
export interface RunningProgram {
  readonly program: Program;
  /** Closes everything, the embedded database last. */
  stop(): Promise<void>;
}

/** Starts all but HTTP, in the order in which one thing needs another. What was started is stopped where a later step fails. */
export async function startProgram(
  settings: Settings,
  options: { domain: Domain; folder: string; log: Logger; fast?: boolean },
): Promise<RunningProgram> {
  const { domain, folder, log, fast } = options;
  const started: (() => unknown)[] = [];
  const stop = async () => {
    while (started.length > 0) await started.pop()!();
  };
  try {
    const embedded =
      settings.databaseUrl === undefined ? await startEmbedded({ dataDir: settings.dataDir, log, fast }) : undefined;
    if (embedded) started.push(() => embedded.stop());
    const database = openDatabase(settings.databaseUrl ?? embedded!.url, log);
    started.push(() => database.close());
    started.push(() => waitingLinesOf(database, log).close());
    await migrate(database);
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
    const program: Program = { settings, database, definitions, live, files, jobs, hooks: domain.hooks, log };
    started.push(followWrites(database, live));
    await domain.prepareData(program);
    await sweepFiles(program);
    started.push(() => jobs.stop());
    await jobs.start(domain.jobKinds(program));
    return { program, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
