import { basename } from 'node:path';
import type { DefinitionFile } from '../../engine/check/read-definitions';
import type { StoredModules } from './stored-modules';
import type { Queries } from '../database/database';
import { onEngineTables } from '../database/engine-tables';

/**
 * A text that may become the active one of a name: merged with an upgrade, stored, stored before that, from the file, or
 * the file's last good one.
 */
export interface Candidate extends DefinitionFile {
  readonly origin: 'merged' | 'stored' | 'former' | 'file' | 'good';
  /** This text has not been active yet. */
  readonly isNew?: true;
}

/** By name, in order of preference. */
export type Candidates = ReadonlyMap<string, readonly Candidate[]>;

/** The name of the definition in a file, or of the definition that a file extends. */
export function definitionName(file: string): string {
  return basename(file).replace(/(\.extension)?\.json$/, '');
}

/** Identifies a candidate among all candidates of its name. */
export function candidateKey({ origin, file, text }: Candidate): string {
  return [origin, file, text].join('\0');
}

/** The path shown in messages for a definition that is not in a file. */
export function storedFilePath(name: string): string {
  return `studio/${name}.json`;
}

/** Texts by name that are candidates in certain cases only. */
interface MoreTexts {
  /** Merged with an upgrade. */
  readonly mergedTexts?: ReadonlyMap<string, string>;
  /** Those before the stored ones, for a version that may not understand what a newer one has stored. */
  readonly formerTexts?: ReadonlyMap<string, string>;
}

/** Lists all candidates: the stored text comes before the file, the file before its last good text. */
export function listCandidates(
  files: readonly DefinitionFile[],
  lastGoodTexts: LastGoodTexts,
  storedModules: StoredModules,
  { mergedTexts, formerTexts }: MoreTexts = {},
): Candidates {
  const byName = new Map(files.map((file) => [definitionName(file.file), file]));
  const names = [...new Set([...byName.keys(), ...storedModules.keys()])].sort();
  return new Map(
    names.map((name) => {
      const module = storedModules.get(name);
      const source = module?.retired_at === null ? module.source : null;
      const otherCandidates = [
        ...fromStored(name, source, 'stored'),
        ...fromStored(name, (source && formerTexts?.get(name)) ?? null, 'former'),
        ...fromFile(byName.get(name), lastGoodTexts),
      ];
      const upgrade = fromStored(name, mergedTexts?.get(name) ?? null, 'merged');
      return [name, [...upgrade.map((candidate) => ({ ...candidate, isNew: true as const })), ...otherCandidates]];
    }),
  );
}

function fromStored(name: string, text: string | null, origin: 'merged' | 'stored' | 'former'): Candidate[] {
  return text === null ? [] : [{ file: storedFilePath(name), text, origin }];
}

function fromFile(file: DefinitionFile | undefined, lastGoodTexts: LastGoodTexts): Candidate[] {
  if (!file) return [];
  const text = lastGoodTexts.get(basename(file.file));
  const last: Candidate[] = text === undefined || text === file.text ? [] : [{ file: file.file, text, origin: 'good' }];
  return [{ ...file, origin: 'file', ...(text !== file.text && { isNew: true }) }, ...last];
}

const KEY = 'definitions';

/** File name → its last active text. Stored in the database, so that it survives restarts. */
export type LastGoodTexts = ReadonlyMap<string, string>;

/** The texts that were active when the program last ran; empty at the first start. */
export async function loadLastGoodTexts(queries: Queries): Promise<LastGoodTexts> {
  const storedValue = await onEngineTables(queries)
    .selectFrom('meta')
    .select('value')
    .where('key', '=', KEY)
    .executeTakeFirst();
  return new Map(Object.entries((storedValue?.value ?? {}) as Record<string, string>));
}

/** Saves the texts that are active now. */
export async function saveLastGoodTexts(queries: Queries, texts: LastGoodTexts): Promise<void> {
  const value = JSON.stringify(Object.fromEntries(texts));
  await onEngineTables(queries)
    .insertInto('meta')
    .values({ key: KEY, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute();
}
