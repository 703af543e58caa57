import type { ReadDefinitions } from '../../engine/check/read-definitions';
import { namedRoles, unknownRoleProblems } from '../../engine/check/check-roles';
import { checkUpgradeConstraints } from '../../engine/check/check-upgrade';
import { createRegistry, type Registry } from '../../engine/registry/registry';
import type { Source } from '../../engine/language/source';
import type { Transaction } from '../database/database';
import { listCandidates, definitionName, storedFilePath, type Candidate, type LastGoodTexts } from './candidates';
import type { DefinitionFiles, DefinitionFolders } from './folder';
import { resolveActiveDefinitions, type DefinitionsValidator } from './active-definitions';
import type { RoleLevel } from './default-grants';
import { readShippedRows } from './shipped-rows';
import { shipsAnother, type Standing } from './releases';
import { loadFormerTexts, loadStoredModules, parseSource, type StoredModules } from './stored-modules';
import type { SchemaRole } from '../sync/schema-role';
import type { ShippedTexts } from './upgrades';

/** A set of definitions that are active together, or could be. */
export interface DefinitionSet {
  readonly registry: Registry;
  readonly sources: ReadonlyMap<string, Source>;
  readonly texts: readonly Candidate[];
}

/** The definitions after a change, and the problems of all texts by definition name. */
export interface Proposal extends DefinitionSet {
  readonly problems: readonly { readonly name: string; readonly path: string; readonly message: string }[];
}

/** The context for preparing a change of stored definitions, based on what is stored in this transaction. */
export interface Stage {
  readonly trx: Transaction;
  readonly storedModules: StoredModules;
  readonly shippedTexts: ShippedTexts;
  readonly current: DefinitionSet;
  readonly role: SchemaRole;
  /** Why a definition cannot be changed on this server now, in sentences; undefined if it can. */
  refusalOf(name: string): string | undefined;
  /** The definitions with this text for a name; null: without the name. */
  propose(name: string, text: string | null): Proposal;
}

/** The state of this server that a stage needs. */
export interface StageOptions {
  readonly releaseState: Standing;
  readonly files: DefinitionFiles;
  readonly folders: DefinitionFolders;
  readonly lastGoodTexts: LastGoodTexts;
  readonly shippedTexts: ShippedTexts;
  /** The keys of candidates that were dropped because of their tables. */
  readonly refusedCandidates: ReadonlySet<string>;
  readonly validate: DefinitionsValidator;
  /** By resource, the fields that definitions must keep because code uses them. */
  readonly requiredFields: Readonly<Record<string, readonly string[]>>;
  readonly roleLevels: (trx: Transaction) => Promise<readonly RoleLevel[]>;
  /** The version of the active registry. */
  readonly version: number;
}

/** Opens a stage within a transaction. */
export async function openStage(trx: Transaction, options: StageOptions): Promise<Stage> {
  const { files, lastGoodTexts, shippedTexts, refusedCandidates, validate, version, releaseState } = options;
  const { role } = releaseState;
  const storedModules = await loadStoredModules(trx);
  const formerTexts = role === 'older' ? await loadFormerTexts(trx) : undefined;
  const candidates = listCandidates(files.definitions, lastGoodTexts, storedModules, { formerTexts });
  const active = resolveActiveDefinitions(candidates, validate, refusedCandidates);
  const registry = createRegistry(active.definitions, version);
  const current = { registry, sources: active.sources, texts: active.texts };
  const refusalOf = (name: string) =>
    role === 'older' && shipsAnother(releaseState, name, shippedTexts) ? newerDefinition : undefined;
  const roles = [...new Set((await options.roleLevels(trx)).map(({ key }) => key))];
  return {
    trx,
    storedModules,
    shippedTexts,
    current,
    role,
    refusalOf,
    propose(name, text) {
      const otherTexts = active.texts.filter(({ file }) => definitionName(file) !== name);
      const ownCandidates: Candidate[] = text === null ? [] : [{ file: storedFilePath(name), text, origin: 'stored' }];
      const texts = [...otherTexts, ...ownCandidates].sort((a, b) =>
        definitionName(a.file) < definitionName(b.file) ? -1 : 1,
      );
      const read = validate(texts);
      const faults = read.problems.map(({ file, path, message }) => ({ name: definitionName(file), path, message }));
      const nextRegistry = createRegistry(read.definitions, version + 1);
      const refusal = refusalOf(name);
      return {
        registry: nextRegistry,
        sources: read.sources,
        texts,
        problems: [
          ...faults,
          ...(refusal === undefined ? [] : [{ name, path: '', message: refusal }]),
          ...protectedPartProblems(name, text, shippedTexts, options),
          ...shippedRowProblems(name, read, current.registry, options),
          ...roleProblems(name, read.sources.get(name), current.sources.get(name), roles),
        ],
      };
    },
  };
}

const newerDefinition =
  'A newer version of the program is used on the same database, and ships another definition of this module. Publish it there, or once all servers run that version.';

/** The roles that a definition names exist. One that it named already may have been deleted since. */
function roleProblems(
  name: string,
  nextSource: Source | undefined,
  previousSource: Source | undefined,
  knownRoles: readonly string[],
): Proposal['problems'] {
  if (!nextSource) return [];
  const previousRoles = previousSource ? namedRoles(previousSource).map(({ key }) => key) : [];
  const remedy = 'Create the role first (its key is made from its name), or name another one.';
  return unknownRoleProblems(nextSource, [...knownRoles, ...previousRoles], remedy).map((fault) => ({
    name,
    ...fault,
  }));
}

/** Changes of shipped definitions must not alter protected parts or remove fields that the program needs. */
function protectedPartProblems(
  name: string,
  text: string | null,
  shippedTexts: ShippedTexts,
  { requiredFields }: StageOptions,
): Proposal['problems'] {
  if (text === null) return [];
  const shippedText = shippedTexts.get(name);
  const protectedParts = {
    shipped: shippedText === undefined ? undefined : parseSource(shippedText),
    needed: requiredFields[name] ?? [],
  };
  return checkUpgradeConstraints(parseSource(text), protectedParts).map((fault) => ({ name, ...fault }));
}

/** The shipped rows of a definition must exist. A definition that already had them was checked before. */
function shippedRowProblems(
  name: string,
  { definitions }: ReadDefinitions,
  previousRegistry: Registry,
  { files, folders }: StageOptions,
): Proposal['problems'] {
  const definition = definitions.find((candidate) => candidate.name === name);
  const file = definition?.rows?.file;
  if (!definition || file === undefined || file === previousRegistry.get(name)?.rows?.file) return [];
  const { faults } = readShippedRows(createRegistry([definition]), files, folders);
  return faults.map(({ message }) => ({ name, path: '/rows', message }));
}
