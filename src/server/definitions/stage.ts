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

/** A set of definitions that are active together, or could be. */
export interface InForce {
  readonly registry: Registry;
  readonly sources: ReadonlyMap<string, Source>;
  readonly texts: readonly Candidate[];
}

/** The definitions after a change, and the problems of all texts by definition name. */
export interface Proposal extends InForce {
  readonly faults: readonly { readonly name: string; readonly path: string; readonly message: string }[];
}

/** The context for preparing a change of stored definitions, based on what is stored in this transaction. */
export interface Stage {
  readonly trx: Transaction;
  readonly stored: StoredModules;
  readonly shipped: ShippedTexts;
  readonly before: InForce;
  /** The definitions with this text for a name; null: without the name. */
  propose(name: string, text: string | null): Proposal;
}

/** The state of this server that a stage needs. */
export interface Surroundings {
  readonly files: Folder;
  readonly folder: string;
  readonly good: GoodTexts;
  readonly shipped: ShippedTexts;
  /** The keys of candidates that were dropped because of their tables. */
  readonly refused: ReadonlySet<string>;
  readonly judge: Judge;
  /** The version of the active registry. */
  readonly version: number;
}

/** Opens a stage within a transaction. */
export async function openStage(trx: Transaction, options: Surroundings): Promise<Stage> {
  const { files, good, shipped, refused, judge: validate, version } = options;
  const stored = await readStored(trx);
  const active = settle(candidatesOf(files.definitions, good, stored), validate, refused);
  const registry = createRegistry(active.definitions, version);
  const before = { registry, sources: active.sources, texts: active.inForce };
  return {
    trx,
    stored,
    shipped,
    before,
    propose(name, text) {
      const others = active.inForce.filter(({ file }) => nameOf(file) !== name);
      const own: Candidate[] = text === null ? [] : [{ file: storedFile(name), text, from: 'stored' }];
      const texts = [...others, ...own].sort((a, b) => (nameOf(a.file) < nameOf(b.file) ? -1 : 1));
      const read = validate(texts);
      const faults = read.faults.map(({ file, path, message }) => ({ name: nameOf(file), path, message }));
      const after = createRegistry(read.definitions, version + 1);
      return {
        registry: after,
        sources: read.sources,
        texts,
        faults: [...faults, ...keptFaults(name, text, shipped), ...rowFaults(name, read, before.registry, options)],
      };
    },
  };
}

/** Changes of shipped definitions must not alter protected parts or remove fields that the program needs. */
function keptFaults(name: string, text: string | null, shipped: ShippedTexts): Proposal['faults'] {
  if (text === null) return [];
  const before = shipped.get(name);
  const kept = { shipped: before === undefined ? undefined : sourceIn(before), needed: neededFields[name] ?? [] };
  return checkKept(sourceIn(text), kept).map((fault) => ({ name, ...fault }));
}

/** The shipped rows of a definition must exist. A definition that already had them was checked before. */
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
