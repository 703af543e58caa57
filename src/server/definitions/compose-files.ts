import { basename } from 'node:path';
import { checkExtension, extendSource, type Extension } from '../../engine/check/extension';
import { JsonError, parseJson, type ParsedJson } from '../../engine/check/parse-json';
import type { FileProblem, Problem } from '../../engine/definitions/problems';
import { closestPath, placeIn, type DefinitionFile } from '../../engine/check/read-definitions';
import type { Source } from '../../engine/language/source';
import { formatSource } from '../../engine/studio/format-source';
import { isJsonObject, type JsonObject } from '../../engine/formats/json';
import { definitionName } from './candidates';
import { requireValue } from '../../engine/values/lookups';

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
  const productFiles = byName(product.filter(({ file }) => !isExtension(file)));
  const extensions = byName(product.filter(({ file }) => isExtension(file)));
  const names = [...new Set([...bases.keys(), ...productFiles.keys(), ...extensions.keys()])].sort();
  return names.map((name) => {
    const [base, productFile, extension] = [bases.get(name), productFiles.get(name), extensions.get(name)];
    if (base && productFile)
      return withProblem(productFile, productFile, {
        path: '/name',
        message: `The system already defines "${name}", in ${base.file}. Rename this definition, or extend the system's in ${name}.extension.json.`,
      });
    if (base && extension) return extendFile(base, extension);
    if (extension)
      return withProblem(productFile ?? extension, extension, {
        path: '/extends',
        message: productFile
          ? `Only definitions of the system are extended: change "${name}" in ${productFile.file}.`
          : `There is no definition "${name}" of the system to extend. It has ${[...bases.keys()].join(', ')}.`,
      });
    return requireValue(base ?? productFile, `the file of ${name}`);
  });
}

function withProblem(file: DefinitionFile, invalidFile: DefinitionFile, problem: Problem): DefinitionFile {
  return { ...file, problems: [{ ...problem, ...placeIn(invalidFile, problem.path) }] };
}

function extendFile(base: DefinitionFile, extension: DefinitionFile): DefinitionFile {
  const [parsedBase, parsedExtension] = [tryParse(base), tryParse(extension)];
  // Problems of the system's definition alone are reported when it is read.
  if (parsedBase instanceof JsonError || !isJsonObject(parsedBase.value)) return base;
  if (parsedExtension instanceof JsonError) {
    const { line, message } = parsedExtension;
    return { ...base, problems: [{ file: extension.file, line, path: '', message }] };
  }
  const problems = checkExtension(parsedBase.value, parsedExtension.value).map((problem) =>
    placeProblem(problem, parsedExtension),
  );
  if (problems.length > 0) return { ...base, problems };
  const text = formatSource(extendSource(parsedBase.value, parsedExtension.value as Extension) as unknown as Source);
  return { file: base.file, text, locate: (path) => placeProblem({ path, message: '' }, parsedExtension, parsedBase) };
}

/** A problem in the file that contains most of its path; the first one if that is so of both. */
function placeProblem(problem: Problem, ...files: readonly ParsedFile[]): FileProblem {
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
  const systemNames = new Set(system.map(nameOf));
  return [
    ...system.map((file) => {
      const productFile = product.find((candidate) => nameOf(candidate) === nameOf(file));
      return productFile ? mergeRows(file, productFile) : file;
    }),
    ...product.filter((file) => !systemNames.has(nameOf(file))),
  ];
}

function mergeRows(system: DefinitionFile, product: DefinitionFile): DefinitionFile {
  const [parsedSystem, parsedProduct] = [tryParse(system), tryParse(product)];
  // A file that is no list of rows is reported when it is read.
  if (parsedSystem instanceof JsonError || !Array.isArray(parsedSystem.value)) return system;
  if (parsedProduct instanceof JsonError || !Array.isArray(parsedProduct.value)) return product;
  const rows = (file: ParsedFile) =>
    (file.value as unknown[]).map((value, index) => ({ from: file, path: `/${index}`, value }));
  const idOf = ({ value }: { value: unknown }) => (isJsonObject(value) ? (value as JsonObject).id : undefined);
  const replacedIds = new Set(rows(parsedProduct).map(idOf));
  const combinedRows = [...rows(parsedSystem).filter((row) => !replacedIds.has(idOf(row))), ...rows(parsedProduct)];
  return {
    file: system.file,
    text: JSON.stringify(combinedRows.map(({ value }) => value)),
    locate: (path) => {
      const [, index = '', rest = ''] = /^\/(\d+)(.*)$/.exec(path) ?? [];
      const row = combinedRows[Number(index)];
      return placeProblem({ path: row ? row.path + rest : path, message: '' }, row?.from ?? parsedSystem);
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
