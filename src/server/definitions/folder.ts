import { existsSync, readdirSync, readFileSync, watch, type FSWatcher } from 'node:fs';
import { join } from 'node:path';
import type { DefinitionFile } from '../../engine/check/read-definitions';
import type { Logger } from 'pino';
import { composeDefinitions, composeRows } from './compose-files';

const ROWS = 'rows';
/** Milliseconds without changes after which files are read: editors write in several steps. */
const QUIET_PERIOD = 120;
/** Milliseconds between scans if the system can't report changes. */
const POLL_INTERVAL = 2_000;

/** The folders with definitions; shipped rows are in `rows/` below each. */
export interface DefinitionFolders {
  /** The definitions of every product: users, roles, companies. */
  readonly system: string;
  readonly product: string;
}

/** The definitions and shipped rows of the system and of a product. */
export interface DefinitionFiles {
  readonly definitions: readonly DefinitionFile[];
  readonly rows: readonly DefinitionFile[];
}

/** The system's definitions, in the folder where the program is started. */
export const systemFolder = 'system';

/** Reads the definitions of the system and of a product. `file` is the path as given, for messages. */
export function readDefinitionFolders({ system, product }: DefinitionFolders): DefinitionFiles {
  return {
    definitions: composeDefinitions(readDefinitionFiles(system), readDefinitionFiles(product)),
    rows: composeRows(readDefinitionFiles(join(system, ROWS)), readDefinitionFiles(join(product, ROWS))),
  };
}

/** The JSON files of one folder; none if it does not exist. */
export function readDefinitionFiles(folder: string): DefinitionFile[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json') && !name.startsWith('.'))
    .sort()
    .map((name) => ({ file: join(folder, name), text: readFileSync(join(folder, name), 'utf8') }));
}

/** Calls `onChange` shortly after something in the folders may have changed. Returns a function that stops watching. */
export function watchDefinitionFolders(folders: DefinitionFolders, log: Logger, onChange: () => void): () => void {
  const watchers: FSWatcher[] = [];
  let quiet: NodeJS.Timeout | undefined;
  let poll: NodeJS.Timeout | undefined;
  const schedule = () => {
    clearTimeout(quiet);
    quiet = setTimeout(onChange, QUIET_PERIOD);
  };
  const pollInstead = (path: string, error: Error) => {
    if (poll) return;
    log.warn(`${path} is scanned for changes every ${POLL_INTERVAL / 1000} s: ${error.message}`);
    poll = setInterval(onChange, POLL_INTERVAL);
  };
  const { system, product } = folders;
  const paths = [system, product].flatMap((folder) => [folder, join(folder, ROWS)]);
  for (const path of paths.filter((folder) => existsSync(folder))) {
    try {
      watchers.push(watch(path, schedule).on('error', (error) => pollInstead(path, error)));
    } catch (error) {
      pollInstead(path, error as Error);
    }
  }
  return () => {
    clearTimeout(quiet);
    clearInterval(poll);
    for (const watcher of watchers) watcher.close();
  };
}
