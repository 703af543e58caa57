import { existsSync, readdirSync, readFileSync, watch, type FSWatcher } from 'node:fs';
import { join } from 'node:path';
import type { DefinitionFile } from '../../engine/definitions/read-definitions';
import type { Logger } from 'pino';

const ROWS = 'rows';
/** Milliseconds without changes after which files are read: editors write in several steps. */
const QUIET_PERIOD = 120;
/** Milliseconds between scans if the system can't report changes. */
const POLL_INTERVAL = 2_000;

/** The files of a folder of definitions, and those with shipped rows below it. */
export interface DefinitionFolder {
  readonly definitions: readonly DefinitionFile[];
  readonly rows: readonly DefinitionFile[];
}

/** Reads a folder of definitions. `file` is the path as given, for messages. */
export function readDefinitionFolder(folder: string): DefinitionFolder {
  return { definitions: readFiles(folder), rows: readFiles(join(folder, ROWS)) };
}

function readFiles(folder: string): DefinitionFile[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json') && !name.startsWith('.'))
    .sort()
    .map((name) => ({ file: join(folder, name), text: readFileSync(join(folder, name), 'utf8') }));
}

/** Calls `changed` shortly after something in the folder may have changed. Returns a function that stops watching. */
export function watchDefinitionFolder(folder: string, log: Logger, changed: () => void): () => void {
  const watchers: FSWatcher[] = [];
  let quiet: NodeJS.Timeout | undefined;
  let poll: NodeJS.Timeout | undefined;
  const soon = () => {
    clearTimeout(quiet);
    quiet = setTimeout(changed, QUIET_PERIOD);
  };
  const pollInstead = (error: Error) => {
    if (poll) return;
    log.warn(`${folder} is scanned for changes every ${POLL_INTERVAL / 1000} s: ${error.message}`);
    poll = setInterval(changed, POLL_INTERVAL);
  };
  for (const path of [folder, join(folder, ROWS)].filter((one) => existsSync(one))) {
    try {
      watchers.push(watch(path, soon).on('error', pollInstead));
    } catch (error) {
      pollInstead(error as Error);
    }
  }
  return () => {
    clearTimeout(quiet);
    clearInterval(poll);
    for (const watcher of watchers) watcher.close();
  };
}
