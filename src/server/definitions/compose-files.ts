import { basename } from 'node:path';
import { checkExtension, extendSource, type Extension } from '../../engine/definitions/extension';
import { JsonError, parseJson, type ParsedJson } from '../../engine/definitions/parse-json';
import type { FileProblem, Problem } from '../../engine/definitions/problems';
import { closestPath, placeIn, type DefinitionFile } from '../../engine/definitions/read-definitions';
import type { Source } from '../../engine/definitions/source';
import { formatSource } from '../../engine/studio/format-source';
import { isJsonObject, type JsonObject } from '../../engine/formats/json';
import { definitionName } from './candidates';

interface ParsedFile extends ParsedJson {
  readonly file: string;
}

/** Whether a file extends a definition of the system instead of being one. */
function isExtension(file: string): boolean {
  return file.endsWith('.extension.json');
}

/**
 * Puts the definitions of the system and those of a product together, by name: a product adds its own, and extends the
 * system's with files `<name>.extension.json`. One that is in both is a problem.
 */
export function composeDefinitions(
  system: readonly DefinitionFile[],
  product: readonly DefinitionFile[],
): readonly DefinitionFile[] {
  const byName = (files: readonly DefinitionFile[]) =>
    new Map(files.map((file) => [definitionName(file.file), file] as const));
  const bases = byName(system);
  const own = byName(product.filter(({ file }) => !isExtension(file)));
  const extensions = byName(product.filter(({ file }) => isExtension(file)));
  const names = [...new Set([...bases.keys(), ...own.keys(), ...extensions.keys()])].sort();
  return names.map((name) => {
    const [base, mine, extension] = [bases.get(name), own.get(name), extensions.get(name)];
    if (base && mine)
      return withProblem(mine, mine, {
        path: '/name',
        message: `The system already defines "${name}", in ${base.file}. Rename this definition, or extend the system's in ${name}.extension.json.`,
      });
    if (base && extension) return extendFile(base, extension);
    if (extension)
      return withProblem(mine ?? extension, extension, {
        path: '/extends',
        message: mine
          ? `Only definitions of the system are extended: change "${name}" in ${mine.file}.`
          : `There is no definition "${name}" of the system to extend. It has ${[...bases.keys()].join(', ')}.`,
      });
    return (base ?? mine)!;
  });
}

function withProblem(file: DefinitionFile, wrong: DefinitionFile, problem: Problem): DefinitionFile {
  return { ...file, problems: [{ ...problem, ...placeIn(wrong, problem.path) }] };
}

function extendFile(base: DefinitionFile, extension: DefinitionFile): DefinitionFile {
  const [below, above] = [tryParse(base), tryParse(extension)];
  // What is wrong with the system's definition alone is reported when it is read.
  if (below instanceof JsonError || !isJsonObject(below.value)) return base;
  if (above instanceof JsonError) {
    const { line, message } = above;
    return { ...base, problems: [{ file: extension.file, line, path: '', message }] };
  }
  const problems = checkExtension(below.value, above.value).map((problem) => placed(problem, above));
  if (problems.length > 0) return { ...base, problems };
  const text = formatSource(extendSource(below.value, above.value as Extension) as unknown as Source);
  return { file: base.file, text, locate: (path) => placed({ path, message: '' }, above, below) };
}

/** A problem in the file that contains most of its path; the first one if that is so of both. */
function placed(problem: Problem, ...files: readonly ParsedFile[]): FileProblem {
  const [closest] = files
    .map(({ file, lines }) => ({ file, lines, path: closestPath(problem.path, lines) }))
    .sort((a, b) => b.path.length - a.path.length) as [{ file: string; lines: ParsedJson['lines']; path: string }];
  return { ...problem, file: closest.file, line: closest.lines.get(closest.path) ?? 1 };
}

/**
 * Puts the shipped rows of the system and those of a product together, by file name: a row of the product with the id of
 * one of the system replaces it, others are added.
 */
export function composeRows(
  system: readonly DefinitionFile[],
  product: readonly DefinitionFile[],
): readonly DefinitionFile[] {
  const nameOf = ({ file }: DefinitionFile) => basename(file);
  const known = new Set(system.map(nameOf));
  return [
    ...system.map((file) => {
      const own = product.find((other) => nameOf(other) === nameOf(file));
      return own ? mergeRows(file, own) : file;
    }),
    ...product.filter((file) => !known.has(nameOf(file))),
  ];
}

function mergeRows(system: DefinitionFile, product: DefinitionFile): DefinitionFile {
  const [below, above] = [tryParse(system), tryParse(product)];
  // A file that is no list of rows is reported when it is read.
  if (below instanceof JsonError || !Array.isArray(below.value)) return system;
  if (above instanceof JsonError || !Array.isArray(above.value)) return product;
  const rows = (one: ParsedFile) =>
    (one.value as unknown[]).map((value, index) => ({ from: one, path: `/${index}`, value }));
  const idOf = ({ value }: { value: unknown }) => (isJsonObject(value) ? (value as JsonObject).id : undefined);
  const replaced = new Set(rows(above).map(idOf));
  const all = [...rows(below).filter((row) => !replaced.has(idOf(row))), ...rows(above)];
  return {
    file: system.file,
    text: JSON.stringify(all.map(({ value }) => value)),
    locate: (path) => {
      const [, index = '', rest = ''] = /^\/(\d+)(.*)$/.exec(path) ?? [];
      const row = all[Number(index)];
      return placed({ path: row ? row.path + rest : path, message: '' }, row?.from ?? below);
    },
  };
}

function tryParse({ file, text }: DefinitionFile): ParsedFile | JsonError {
  try {
    return { ...parseJson(text), file };
  } catch (error) {
    if (error instanceof JsonError) return error;
    throw error;
  }
}
