import { checkReferences, type Checked } from './check';
import { checkSource, type SourceJudge } from './check-schema';
import type { Definition } from './definition';
import { JsonError, readJson, type ReadJson } from './json-lines';
import { normalise } from './normalise';
import type { Fault, FileFault } from './paths';
import type { Source } from './source';

/** A file of definitions, as stored. */
export interface DefinitionFile {
  readonly file: string;
  readonly text: string;
}

/**
 * The result of reading: the definitions without problems, normalised and as written, and every problem with its place.
 */
export interface ReadDefinitions {
  readonly definitions: readonly Definition[];
  readonly sources: ReadonlyMap<string, Source>;
  readonly faults: readonly FileFault[];
}

interface Reading extends Checked {
  readonly file: string;
  readonly lines: ReadJson['lines'];
}

/**
 * Reads definition files: JSON, JSON Schemas, defaults and references. Never throws because of a file's content; a file
 * with problems is left out of the definitions.
 */
export function readDefinitions(files: readonly DefinitionFile[], judge: SourceJudge): ReadDefinitions {
  const faults: FileFault[] = [];
  const readings = new Map<string, Reading>();
  const unread = new Set<string>();
  for (const { file, text } of files) {
    const reading = readFile(file, text, judge, faults);
    const stem = /([^/\\]+)\.json$/.exec(file)?.[1];
    if (!reading) {
      if (stem !== undefined) unread.add(stem);
      continue;
    }
    const { name } = reading.source;
    const other = readings.get(name);
    const note = (message: string) =>
      faults.push({ file, path: '/name', line: reading.lines.get('/name') ?? 1, message });
    if (other) note(`${other.file} already defines "${name}".`);
    else readings.set(name, reading);
    if (stem !== undefined && stem !== name) note(`The file of "${name}" must be named ${name}.json.`);
  }
  const inFault = checkReferences([...readings.values()], unread);
  for (const [name, found] of inFault) {
    const { file, lines } = readings.get(name)!;
    faults.push(...found.map((fault) => place(fault, file, lines)));
  }
  const broken = new Set(faults.map(({ file }) => file));
  const whole = [...readings.values()].filter(({ file }) => !broken.has(file));
  return {
    definitions: whole.map(({ definition }) => definition),
    sources: new Map(whole.map(({ source }) => [source.name, source])),
    faults,
  };
}

/**
 * Valid texts by validator: after a change, the other files are the same, and what was derived from their definitions
 * can be reused.
 */
const sound = new WeakMap<SourceJudge, Map<string, Omit<Reading, 'file'>>>();
const KNOWN_TEXTS = 500;

function readFile(file: string, text: string, judge: SourceJudge, faults: FileFault[]): Reading | undefined {
  const known = sound.get(judge) ?? new Map<string, Omit<Reading, 'file'>>();
  sound.set(judge, known);
  const found = known.get(text);
  if (found) return { file, ...found };
  const read = readNew(file, text, judge, faults);
  if (!read) return undefined;
  if (known.size >= KNOWN_TEXTS) known.clear();
  known.set(text, read);
  return { file, ...read };
}

function readNew(
  file: string,
  text: string,
  judge: SourceJudge,
  faults: FileFault[],
): Omit<Reading, 'file'> | undefined {
  let json: ReadJson;
  try {
    json = readJson(text);
  } catch (error) {
    const [line, message] = error instanceof JsonError ? [error.line, error.message] : [1, 'This cannot be read.'];
    faults.push({ file, path: '', line, message });
    return undefined;
  }
  const wrong = checkSource(json.value, judge);
  faults.push(...wrong.map((fault) => place(fault, file, json.lines)));
  if (wrong.length > 0) return undefined;
  const source = json.value as Source;
  return { source, definition: normalise(source), lines: json.lines };
}

/** The line of a problem's path, or of the closest parent that the file contains. */
function place(fault: Fault, file: string, lines: ReadJson['lines']): FileFault {
  let path = fault.path;
  while (path !== '' && !lines.has(path)) path = path.slice(0, path.lastIndexOf('/'));
  return { file, path: fault.path, line: lines.get(path) ?? 1, message: fault.message };
}
