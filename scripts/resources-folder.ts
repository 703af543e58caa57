import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { JsonError, parseJson } from '../src/engine/definitions/parse-json';
import type { Source } from '../src/engine/definitions/source';
import { formatSource } from '../src/engine/studio/format-source';
import { CommandError } from './resources-client';

/** A file of a definition. */
export interface ResourceFile {
  readonly file: string;
  readonly text: string;
  readonly source: Source;
  /** `resources/tasks.json:12`, for a place in it. */
  at(path: string): string;
}

/** By address of an Assay, by name, the version that a file was last the same as. */
export type BaseVersions = Record<string, Record<string, number>>;

/** Stores the versions that files are based on; not a definition itself. */
const BASES = '.versions';

/** The definitions of a folder by name. Throws if a file is not valid JSON. */
export function readResources(folder: string): Map<string, ResourceFile> {
  if (!existsSync(folder)) throw new CommandError(`There is no folder ${folder}.`);
  const names = readdirSync(folder).filter((name) => name.endsWith('.json') && !name.startsWith('.'));
  return new Map(names.sort().map((name) => [name.replace(/\.json$/, ''), readResource(join(folder, name))]));
}

function readResource(file: string): ResourceFile {
  const text = readFileSync(file, 'utf8');
  try {
    const { value, lines } = parseJson(text);
    const at = (path: string): string => {
      let known = path;
      while (known !== '' && !lines.has(known)) known = known.slice(0, known.lastIndexOf('/'));
      return `${relative('.', file)}:${lines.get(known) ?? 1}`;
    };
    return { file, text, source: value as Source, at };
  } catch (error) {
    if (error instanceof JsonError) throw new CommandError(`${relative('.', file)}:${error.line} ${error.message}`);
    throw error;
  }
}

/** Writes a definition as files of definitions are laid out. */
export function writeResource(folder: string, source: Source): string {
  const file = join(folder, `${source.name}.json`);
  writeFileSync(file, formatSource(source));
  return relative('.', file);
}

/** Whether two definitions are equal: the order of keys matters, because it is the order of fields. */
export function isSameDefinition(a: Source, b: Source): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** The versions that the files of a folder are based on. */
export function readBaseVersions(folder: string): BaseVersions {
  const file = join(folder, BASES);
  if (!existsSync(file)) return {};
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as BaseVersions;
  } catch {
    throw new CommandError(`${relative('.', file)}:1 This is not valid JSON. Delete it, or restore its content.`);
  }
}

/** Stores the versions of an Assay that files are based on. */
export function writeBaseVersions(folder: string, url: string, versions: Readonly<Record<string, number>>): void {
  const bases = readBaseVersions(folder);
  const known = { ...bases[url], ...versions };
  const sorted = Object.fromEntries(Object.entries(known).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(join(folder, BASES), `${JSON.stringify({ ...bases, [url]: sorted }, null, 2)}\n`);
}

/** Runs a command; an expected error is shown as one line, with exit code 1. */
export async function runCommand(command: () => Promise<boolean>): Promise<void> {
  try {
    process.exitCode = (await command()) ? 0 : 1;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
