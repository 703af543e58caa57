import type { ReadDefinitions } from '../../engine/definitions/read';
import { checkKept } from '../../engine/definitions/check-kept';
import { createRegistry, type Registry } from '../../engine/definitions/registry';
import type { Source } from '../../engine/definitions/source';
import type { Transaction } from '../database/database';
import { neededFields } from '../domain/needed-fields';
import { candidatesOf, nameOf, storedFile, type Candidate } from './candidates';
import type { Folder } from './folder';
import type { GoodTexts } from './good-texts';
import { settle, type Judge } from './settle';
import { readShippedRows } from './shipped-rows';
import { readStored, sourceIn, type StoredModules } from './stored-modules';
import type { ShippedTexts } from './upgrades';

/** Definitions that are in force together, or could be. */
export interface InForce {
  readonly registry: Registry;
  readonly sources: ReadonlyMap<string, Source>;
  readonly texts: readonly Candidate[];
}

/** What would be in force after a change, and what is wrong with it: the faults of every text by the name of its own. */
export interface Proposal extends InForce {
  readonly faults: readonly { readonly name: string; readonly path: string; readonly message: string }[];
}

/** Where a change of stored definitions is prepared, on what is stored at this moment and not a moment ago. */
export interface Stage {
  readonly trx: Transaction;
  readonly stored: StoredModules;
  readonly shipped: ShippedTexts;
  readonly before: InForce;
  /** What would be in force with this text of a name; null: without the name. */
  propose(name: string, text: string | null): Proposal;
}

/** What a stage needs to know of this server. */
export interface Surroundings {
  readonly files: Folder;
  readonly folder: string;
  readonly good: GoodTexts;
  readonly shipped: ShippedTexts;
  /** The keys of candidates that stand back for their tables' sake. */
  readonly refused: ReadonlySet<string>;
  readonly judge: Judge;
  /** Of the registry that is in force. */
  readonly version: number;
}

/** Opens a stage within a transaction. */
export async function openStage(trx: Transaction, around: Surroundings): Promise<Stage> {
  const { files, good, shipped, refused, judge, version } = around;
  const stored = await readStored(trx);
  const settled = settle(candidatesOf(files.definitions, good, stored), judge, refused);
  const registry = createRegistry(settled.definitions, version);
  const before = { registry, sources: settled.sources, texts: settled.inForce };
  return {
    trx,
    stored,
    shipped,
    before,
    propose(name, text) {
      const others = settled.inForce.filter(({ file }) => nameOf(file) !== name);
      const own: Candidate[] = text === null ? [] : [{ file: storedFile(name), text, from: 'stored' }];
      const texts = [...others, ...own].sort((a, b) => (nameOf(a.file) < nameOf(b.file) ? -1 : 1));
      const read = judge(texts);
      const faults = read.faults.map(({ file, path, message }) => ({ name: nameOf(file), path, message }));
      const after = createRegistry(read.definitions, version + 1);
      return {
        registry: after,
        sources: read.sources,
        texts,
        faults: [...faults, ...keptFaults(name, text, shipped), ...rowFaults(name, read, before.registry, around)],
      };
    },
  };
}

/** Who changes a definition here may not reach behind it, nor take away what the program stands on. */
function keptFaults(name: string, text: string | null, shipped: ShippedTexts): Proposal['faults'] {
  if (text === null) return [];
  const before = shipped.get(name);
  const kept = { shipped: before === undefined ? undefined : sourceIn(before), needed: neededFields[name] ?? [] };
  return checkKept(sourceIn(text), kept).map((fault) => ({ name, ...fault }));
}

/** The rows that a definition ships with must be there; those of definitions that had them before were looked at then. */
function rowFaults(
  name: string,
  { definitions }: ReadDefinitions,
  before: Registry,
  { files, folder }: Surroundings,
): Proposal['faults'] {
  const definition = definitions.find((one) => one.name === name);
  const file = definition?.rows?.file;
  if (!definition || file === undefined || file === before.get(name)?.rows?.file) return [];
  const { faults } = readShippedRows(createRegistry([definition]), files.rows, folder);
  return faults.map(({ message }) => ({ name, path: '/rows', message }));
}
