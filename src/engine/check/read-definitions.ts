import { checkReferences, type CheckedDefinition } from './check-definitions';
import { checkSource, type SourceValidator } from './check-schema';
import type { Definition } from '../definitions/definition';
import { JsonError, parseJson, type ParsedJson } from './parse-json';
import { normalise } from '../normalise/normalise';
import type { Problem, FileProblem } from '../definitions/problems';
import type { Source } from '../language/source';
import { getOrThrow } from '../values/lookups';

/** A file of definitions, as stored; or the text that several files make up. */
export interface DefinitionFile {
  readonly file: string;
  readonly text: string;
  /** Problems that keep the text from being used, whatever it contains. */
  readonly problems?: readonly FileProblem[];
  /** The file and line (from 1) of a JSON pointer, if the text comes from several files. */
  readonly locate?: (path: string) => FilePlace;
}

/** A line in a file, from 1. */
export type FilePlace = Pick<FileProblem, 'file' | 'line'>;

/**
 * The result of reading: the definitions without problems, normalised and as written, and every problem with its place.
 */
export interface ReadDefinitions {
  readonly definitions: readonly Definition[];
  readonly sources: ReadonlyMap<string, Source>;
  readonly problems: readonly FileProblem[];
}

interface ParsedFile extends CheckedDefinition {
  readonly file: DefinitionFile;
  readonly lines: ParsedJson['lines'];
}

/**
 * Reads definition files: JSON, JSON Schemas, defaults and references. Never throws because of a file's content; a file
 * with problems is left out of the definitions.
 *
 * @example readDefinitions([{ file: 'resources/browsers.json', text }], validate).problems; // []
 */
export function readDefinitions(files: readonly DefinitionFile[], validate: SourceValidator): ReadDefinitions {
  const faults: FileProblem[] = [];
  const readings = new Map<string, ParsedFile>();
  const unread = new Set<string>();
  const brokenFiles = new Set<DefinitionFile>();
  for (const file of files) {
    const reading = readFile(file, validate, faults);
    const stem = /([^/\\]+)\.json$/.exec(file.file)?.[1];
    if (!reading) {
      if (stem !== undefined) unread.add(stem);
      continue;
    }
    const { name } = reading.source;
    const otherReading = readings.get(name);
    const note = (message: string) => {
      brokenFiles.add(file);
      faults.push(locate({ path: '/name', message }, file, reading.lines));
    };
    if (otherReading) note(`${otherReading.file.file} already defines "${name}".`);
    else readings.set(name, reading);
    if (stem !== undefined && stem !== name) note(`The file of "${name}" must be named ${name}.json.`);
  }
  const inFault = checkReferences([...readings.values()], unread);
  for (const [name, problems] of inFault) {
    const { file, lines } = getOrThrow(readings, name);
    if (problems.length > 0) brokenFiles.add(file);
    faults.push(...problems.map((fault) => locate(fault, file, lines)));
  }
  const soundReadings = [...readings.values()].filter(({ file }) => !brokenFiles.has(file));
  return {
    definitions: soundReadings.map(({ definition }) => definition),
    sources: new Map(soundReadings.map(({ source }) => [source.name, source])),
    problems: faults,
  };
}

/**
 * Reads definition files that are known to be valid together, without checking anything.
 *
 * @example readValidDefinitions([{ file: 'resources/browsers.json', text }]).definitions[0].name; // 'browsers'
 */
export function readValidDefinitions(files: readonly DefinitionFile[]): ReadDefinitions {
  const sources = files.map(({ text }) => JSON.parse(text) as Source);
  return {
    definitions: sources.map(normalise),
    sources: new Map(sources.map((source) => [source.name, source])),
    problems: [],
  };
}

interface ValidTexts {
  readonly readings: Map<string, Omit<ParsedFile, 'file'>>;
  characters: number;
}

/**
 * Valid texts by validator: after a change, the other files are the same, and what was derived from their definitions
 * can be reused.
 */
const validTextsByValidator = new WeakMap<SourceValidator, ValidTexts>();
/** Several times the length of all definitions of a product; what is derived from a text takes about ten times its length. */
const MAX_CACHED_CHARACTERS = 4_000_000;

function readFile(file: DefinitionFile, validate: SourceValidator, faults: FileProblem[]): ParsedFile | undefined {
  const { text, problems = [] } = file;
  faults.push(...problems);
  if (problems.length > 0) return undefined;
  const cachedTexts = validTextsByValidator.get(validate) ?? { readings: new Map(), characters: 0 };
  validTextsByValidator.set(validate, cachedTexts);
  const cachedReading = cachedTexts.readings.get(text);
  if (cachedReading) return { file, ...cachedReading };
  const read = parseFile(file, validate, faults);
  if (!read) return undefined;
  if (cachedTexts.characters + text.length > MAX_CACHED_CHARACTERS) {
    cachedTexts.readings.clear();
    cachedTexts.characters = 0;
  }
  cachedTexts.readings.set(text, read);
  cachedTexts.characters += text.length;
  return { file, ...read };
}

function parseFile(
  file: DefinitionFile,
  validate: SourceValidator,
  faults: FileProblem[],
): Omit<ParsedFile, 'file'> | undefined {
  let json: ParsedJson;
  try {
    json = parseJson(file.text);
  } catch (error) {
    const [line, message] = error instanceof JsonError ? [error.line, error.message] : [1, 'This cannot be read.'];
    faults.push({ file: file.file, path: '', line, message });
    return undefined;
  }
  const problems = checkSource(json.value, validate);
  faults.push(...problems.map((fault) => locate(fault, file, json.lines)));
  if (problems.length > 0) return undefined;
  const source = json.value as Source;
  return { source, definition: normalise(source), lines: json.lines };
}

function locate({ path, message }: Problem, { file, locate }: DefinitionFile, lines: ParsedJson['lines']): FileProblem {
  const location = locate ? locate(path) : { file, line: lines.get(closestPath(path, lines)) ?? 1 };
  return { ...location, path, message };
}

/**
 * The file and line of a path in a text that may be no JSON: then its first line.
 *
 * @example placeIn({ file: 'tasks.json', text }, '/hooks/beforeSave').line; // 12
 */
export function placeIn({ file, text, locate }: DefinitionFile, path: string): FilePlace {
  if (locate) return locate(path);
  try {
    const { lines } = parseJson(text);
    return { file, line: lines.get(closestPath(path, lines)) ?? 1 };
  } catch (error) {
    if (error instanceof JsonError) return { file, line: 1 };
    throw error;
  }
}

/**
 * A path, or its closest parent, that a file contains.
 *
 * @example closestPath('/fields/due/labl', lines); // '/fields/due'
 */
export function closestPath(path: string, lines: ParsedJson['lines']): string {
  let knownPath = path;
  while (knownPath !== '' && !lines.has(knownPath)) knownPath = knownPath.slice(0, knownPath.lastIndexOf('/'));
  return knownPath;
}
