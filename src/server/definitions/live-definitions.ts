import { basename } from 'node:path';
import type { Logger } from 'pino';
import { createRegistry, type Registry } from '../../engine/definitions/registry';
import type { DefinitionFile } from '../../engine/definitions/read';
import type { Source } from '../../engine/definitions/source';
import type { Database, Transaction } from '../database/database';
import { definitionsChanged } from '../live/may-see';
import type { DefinitionFault, LiveDefinitions, LiveHub } from '../program';
import { seedGrants, type RoleLevel } from './default-grants';
import { readFolder, watchFolder, type Folder } from './folder';
import { keepGoodTexts, readGoodTexts, type GoodTexts } from './good-texts';
import { settle, type Settled } from './settle';
import { refusals } from './refusals';
import { readShippedRows, storeShippedRows } from './shipped-rows';
import { createSourceJudge } from './source-judge';

export interface DefinitionsOptions {
  /** The folder of the files; shipped rows lie in `rows/` below it. */
  readonly folder: string;
  readonly database: Database;
  readonly live: LiveHub;
  readonly log: Logger;
  /** The names of the hooks that are written. */
  readonly hooks: readonly string[];
  /** All roles with their levels, for the grants that a new module brings. */
  readonly roleLevels: (trx: Transaction) => Promise<readonly RoleLevel[]>;
  /** Told within the transaction that gave out grants. */
  readonly granted?: (trx: Transaction) => Promise<void>;
}

/** The definitions cannot be brought into force, and there are none from before. One line a fault. */
export class DefinitionsError extends Error {
  constructor(readonly faults: readonly DefinitionFault[]) {
    super(faults.map(describe).join('\n'));
  }
}

/**
 * Brings the definitions of a folder into force (tables, shipped rows, grants), and does so again whenever a file
 * changes. A file that is wrong, or whose change could lose stored values, is reported and stands back for its last
 * good text. Throws DefinitionsError at a first start with faults.
 */
export async function openDefinitions(options: DefinitionsOptions): Promise<LiveDefinitions> {
  const { folder, database, live, log } = options;
  const judge = createSourceJudge();
  const hooks = new Set(options.hooks);
  const listeners = new Set<(registry: Registry) => void>();
  let good: GoodTexts = await readGoodTexts(database.kysely);
  let seen = '';
  let registry = createRegistry([], 0);
  let sources: ReadonlyMap<string, Source> = new Map();
  let faults: readonly DefinitionFault[] = [];
  let busy: Promise<void> = Promise.resolve();

  /** Settles the files and brings the tables to them; what could lose stored values stands back. */
  async function agree(
    files: readonly DefinitionFile[],
  ): Promise<{ settled: Settled; next: Registry; refused: DefinitionFault[] }> {
    const refused: DefinitionFault[] = [];
    const standBack = new Set<string>();
    for (;;) {
      const settled = settle(files, good, judge, hooks, standBack);
      const next = createRegistry(settled.definitions, registry.version + 1);
      const found = await refusals(database, next, folder, log);
      const fresh = found.filter(({ file }) => !standBack.has(basename(file)));
      if (found.length === 0) return { settled, next, refused };
      refused.push(...fresh);
      if (fresh.length === 0) throw new DefinitionsError([...settled.faults, ...refused]);
      for (const { file } of fresh) standBack.add(basename(file));
    }
  }

  async function bring(found: Folder): Promise<void> {
    const first = good.size === 0;
    const { settled, next, refused } = await agree(found.definitions);
    const read = readShippedRows(next, found.rows, folder);
    const now = [...settled.faults, ...refused, ...read.faults];
    if (first && now.length > 0) throw new DefinitionsError(now);
    const texts = new Map(settled.files.map(({ file, text }) => [basename(file), text]));
    await database.transaction(async (trx) => {
      const stored = await storeShippedRows(trx, read.shipped);
      const modules = await seedGrants(trx, next, options.roleLevels);
      await keepGoodTexts(trx, texts);
      if (modules.length > 0) await options.granted?.(trx);
      for (const name of stored) live.publish({ resource: name, id: 0, event: 'changed' }, trx);
    });
    report(now);
    const changed = changedNames(good, texts);
    good = texts;
    faults = now;
    // Once somebody has run the statement by hand, saving the file again is enough.
    if (refused.length > 0) seen = '';
    if (changed.length === 0 && registry.version > 0) return;
    registry = next;
    sources = settled.sources;
    for (const listener of listeners) listener(registry);
    for (const name of changed) live.publish({ resource: definitionsChanged, id: name, event: 'changed' });
  }

  function report(now: readonly DefinitionFault[]): void {
    const before = new Set(faults.map(describe));
    for (const fault of now) {
      if (!before.has(describe(fault))) log.error(`${describe(fault)} The last good version stays in force.`);
    }
  }

  async function look(): Promise<void> {
    const found = readFolder(folder);
    const content = JSON.stringify(found);
    if (content === seen) return;
    seen = content;
    await bring(found);
  }

  await look();
  const stopWatching = watchFolder(folder, log, () => {
    busy = busy.then(look).catch((error: Error) => {
      // Read again at the next change, whatever it is.
      seen = '';
      log.error(`The definitions could not be read again: ${error.message}`);
      if (error instanceof DefinitionsError) faults = error.faults;
    });
  });

  return {
    registry: () => registry,
    sources: () => sources,
    faults: () => faults,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      stopWatching();
      await busy;
    },
  };
}

function changedNames(before: GoodTexts, after: GoodTexts): string[] {
  const files = new Set([...before.keys(), ...after.keys()]);
  return [...files].filter((file) => before.get(file) !== after.get(file)).map((file) => file.replace(/\.json$/, ''));
}

function describe({ file, line, path, message }: DefinitionFault): string {
  return `${file}${line === undefined ? '' : `:${line}`}${path && ` ${path}`} ${message}`;
}
