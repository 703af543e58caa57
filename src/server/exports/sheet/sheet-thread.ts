import type { ResourceRecord } from '../../../engine/definitions/definition';
import { pathsOfSource } from '../../../engine/exports/columns';
import { createRegistry } from '../../../engine/registry/registry';
import { resolveColumn } from '../../../engine/lists/column-value';
import { isAddedType } from '../../../engine/field-types';
import { openThreadChannel } from '../../threads/thread-channel';
import { startThread } from '../../threads/start-thread';
import { createSheetWriter, type SheetJob } from './sheet-writer';

/** A sheet that is written, usually in a thread. Its methods throw ThreadEnded if that fails or takes too long. */
export interface SheetThread {
  /** Returns the bytes that are ready after these records; one call at a time. */
  write(records: readonly ResourceRecord[]): Promise<Uint8Array>;
  /** Returns the last bytes. */
  end(): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** Memory limit of a thread in megabytes. */
const maxMemory = 128;
/** Timeout for a page of records in milliseconds. */
const pageTimeout = 60_000;

/** Starts the thread; a sheet with field types of the product, which a thread does not have, is written here. */
export function openSheetThread(job: SheetJob): SheetThread {
  const registry = createRegistry(job.definitions);
  const definition = registry.getOrThrow(job.name);
  const hasAddedType = job.columns.flatMap(pathsOfSource).some((path) => {
    const column = resolveColumn(path, definition, registry);
    return column !== undefined && isAddedType(column.field);
  });
  return hasAddedType ? writeHere(job) : startSheetThread(job);
}

function writeHere(job: SheetJob): SheetThread {
  const write = createSheetWriter(job);
  return { write: async (records) => write(records), end: async () => write(null), close: async () => undefined };
}

function startSheetThread(job: SheetJob): SheetThread {
  const thread = openThreadChannel(
    startThread('sheet-worker', new URL('./worker.ts', import.meta.url), {
      workerData: job,
      resourceLimits: { maxOldGenerationSizeMb: maxMemory },
    }),
    pageTimeout,
  );
  return {
    write: (records) => thread.request(records),
    end: () => thread.request(null),
    close: () => thread.close(),
  };
}
