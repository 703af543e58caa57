import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { createExtension } from '../src/engine/check/extension';
import { JsonError, parseJson } from '../src/engine/check/parse-json';
import { closestPath, type DefinitionFile } from '../src/engine/check/read-definitions';
import type { Source } from '../src/engine/language/source';
import { formatJson, formatSource } from '../src/engine/studio/format-source';
import { definitionName } from '../src/server/definitions/candidates';
import { readDefinitionFiles, readDefinitionFolders, systemFolder } from '../src/server/definitions/folder';
import { CommandError } from './resources-client';

/** A file of a definition. */
export interface ResourceFile {
  readonly file: string;
  readonly source: Source;
  /** `resources/tasks.json:12`, for a place in it. */
  locationOf(path: string): string;
}

/** By address of an Assay, by name, the version that a file was last the same as. */
export type BaseVersions = Record<string, Record<string, number>>;

/** Stores the versions that files are based on; not a definition itself. */
const BASES = '.versions';

/** The options of commands on a folder of definitions. */
export const folderOptions = { product: { type: 'string' } } as const;

/** The folder of a command: as given, that of a product (--product or ASSAY_PRODUCT), or `resources`. */
export function resourcesFolder(path: string | undefined, product = process.env.ASSAY_PRODUCT): string {
  if (path !== undefined) return path;
  return product ? join(product, 'resources') : 'resources';
}

/** The definitions of the system and of a folder by name. Throws if a file is not valid JSON. */
export function readResources(folder: string): Map<string, ResourceFile> {
  if (!existsSync(folder)) throw new CommandError(`There is no folder ${folder}.`);
  const { definitions } = readDefinitionFolders({ system: systemFolder, product: folder });
  return new Map(definitions.map((file) => [definitionName(file.file), readResource(file)]));
}

function readResource({ file, text, problems = [], locate }: DefinitionFile): ResourceFile {
  for (const { file, line, path, message } of problems)
    throw new CommandError(`${relative('.', file)}:${line}${path && ` ${path}`} ${message}`);
  try {
    const { value, lines } = parseJson(text);
    const locationOf = (path: string): string => {
      const location = locate?.(path) ?? { file, line: lines.get(closestPath(path, lines)) ?? 1 };
      return `${relative('.', location.file)}:${location.line}`;
    };
    return { file, source: value as Source, locationOf };
  } catch (error) {
    if (error instanceof JsonError) throw new CommandError(`${relative('.', file)}:${error.line} ${error.message}`);
    throw error;
  }
}

/**
 * Writes a definition as files of definitions are laid out; one of the system as the extension of it that results in the
 * definition.
 */
export function writeResource(folder: string, source: Source): string {
  const system = readDefinitionFiles(systemFolder).find(({ file }) => definitionName(file) === source.name);
  const file = join(folder, system ? `${source.name}.extension.json` : `${source.name}.json`);
  const base = system && (parseJson(system.text).value as Source);
  writeFileSync(file, base ? `${formatJson(createExtension(base, source))}\n` : formatSource(source));
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
  const knownVersions = { ...bases[url], ...versions };
  const sortedVersions = Object.fromEntries(Object.entries(knownVersions).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(join(folder, BASES), `${JSON.stringify({ ...bases, [url]: sortedVersions }, null, 2)}\n`);
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
