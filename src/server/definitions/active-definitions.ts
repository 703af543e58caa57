import {
  placeIn,
  readDefinitions,
  readValidDefinitions,
  type DefinitionFile,
  type ReadDefinitions,
} from '../../engine/definitions/read-definitions';
import type { SourceValidator } from '../../engine/definitions/check-schema';
import type { Definition } from '../../engine/definitions/definition';
import { joinPointer, unknownNameMessage, type Problem } from '../../engine/definitions/problems';
import type { CheckedTexts } from './checked-texts';
import type { DefinitionProblem } from './definition-problem';
import { candidateKey, definitionName, type Candidate, type Candidates } from './candidates';

/** Definitions that are valid together, the texts they come from, and the problems of those that were dropped. */
export interface ActiveDefinitions extends Omit<ReadDefinitions, 'problems'> {
  readonly texts: readonly Candidate[];
  readonly problems: readonly DefinitionProblem[];
}

/** Validates all texts together: by the schema, against each other, and against what the program and product have. */
export type DefinitionsValidator = (texts: readonly DefinitionFile[]) => ReadDefinitions;

/** Creates the validator of a program with these hooks and forms of exports, and paths that the product uses itself. */
export function createDefinitionsValidator(
  validateSource: SourceValidator,
  hooks: ReadonlySet<string>,
  paths: ReadonlySet<string>,
  exportFormats: ReadonlySet<string>,
): DefinitionsValidator {
  return (texts) => {
    const read = readDefinitions(texts, validateSource);
    const found = read.definitions.flatMap((definition) => {
      const text = texts.find((one) => definitionName(one.file) === definition.name)!;
      const problems = [
        ...hookProblems(definition, hooks),
        ...pathProblems(definition, paths),
        ...formatProblems(definition, exportFormats),
      ];
      return problems.map((problem) => ({ ...placeIn(text, problem.path), ...problem }));
    });
    return { ...read, problems: [...read.problems, ...found] };
  };
}

/** A validator that only reads texts which passed the check when it was last run. */
export function skipChecked(validate: DefinitionsValidator, checked: CheckedTexts): DefinitionsValidator {
  return (texts) => {
    if (checked.has('together', texts)) return readValidDefinitions(texts);
    const read = validate(texts);
    if (read.problems.length === 0) checked.add('together', texts);
    return read;
  };
}

/**
 * Chooses the first candidate of every name so that all definitions are valid together: one with a problem falls back
 * to the next, and the name is left out if there is none. Where texts exclude each other, new ones give way to those
 * that were active before. `refused` are the keys of candidates to exclude.
 */
export function resolveActiveDefinitions(
  candidates: Candidates,
  validate: DefinitionsValidator,
  refused: ReadonlySet<string> = new Set(),
): ActiveDefinitions {
  const faults: DefinitionProblem[] = [];
  const remaining = new Map(
    [...candidates].map(([name, all]) => [name, all.filter((one) => !refused.has(candidateKey(one)))]),
  );
  for (;;) {
    const inForce = [...remaining.values()].flatMap(([first]) => first ?? []);
    const read = validate(inForce);
    if (read.problems.length === 0) return { ...read, texts: inForce, problems: faults };
    const problemsOf = ({ file }: Candidate) =>
      read.problems.filter((fault) => definitionName(fault.file) === definitionName(file));
    const broken = chooseToDrop(inForce.filter((one) => problemsOf(one).length > 0));
    for (const one of broken) {
      if (remaining.get(definitionName(one.file))![0] !== one) continue;
      const wrong = problemsOf(one);
      if (isReportable(one)) faults.push(...wrong);
      for (const dropped of candidatesToDrop(one, remaining, inForce)) {
        remaining.set(
          definitionName(dropped.file),
          remaining.get(definitionName(dropped.file))!.filter((other) => other !== dropped),
        );
        if (dropped === one || !isReportable(dropped)) continue;
        faults.push({
          file: dropped.file,
          path: '',
          message: `Conflicts with ${definitionName(one.file)}: ${wrong[0]!.message}`,
        });
      }
    }
  }
}

/** Without a new text, one that was active before may have no problem any more, so new ones are dropped first. */
function chooseToDrop(broken: readonly Candidate[]): readonly Candidate[] {
  const fresh = broken.filter(({ isNew }) => isNew);
  return fresh.length > 0 ? fresh : broken;
}

/** Only texts written by people are reported. */
export function isReportable({ from }: Candidate): boolean {
  return from === 'stored' || from === 'file';
}

/**
 * The candidates to drop because of a text with problems: the text itself, unless nothing would remain of its name and
 * it refers to definitions that were changed here. Then those fall back to the shipped version: a change must not
 * disable something that ships with the program.
 */
function candidatesToDrop(
  broken: Candidate,
  remaining: ReadonlyMap<string, readonly Candidate[]>,
  inForce: readonly Candidate[],
): readonly Candidate[] {
  const of = (file: string) => remaining.get(definitionName(file))!;
  if (broken.from === 'stored' || of(broken.file).length > 1) return [broken];
  const changed = inForce.filter(
    (one) =>
      (one.from === 'stored' || one.from === 'merged') &&
      of(one.file)[0] === one &&
      of(one.file).length > 1 &&
      broken.text.includes(`"${definitionName(one.file)}"`),
  );
  return changed.length > 0 ? changed : [broken];
}

/** Problems for hooks that are not registered. */
function hookProblems({ hooks: named }: Definition, hooks: ReadonlySet<string>): Problem[] {
  return Object.entries(named).flatMap(([event, names]) =>
    names
      .filter((name) => !hooks.has(name))
      .map((name) => ({ path: joinPointer('/hooks', event), message: unknownNameMessage('hook', name, hooks) })),
  );
}

/** Problems for forms of exports that no code writes. */
function formatProblems({ export: exported }: Definition, known: ReadonlySet<string>): Problem[] {
  return Object.keys(exported?.formats ?? {})
    .filter((name) => !known.has(name))
    .map((name) => ({
      path: joinPointer('/export/formats', name),
      message: unknownNameMessage('form of an export', name, known),
    }));
}

/** Problems for addresses that the product has taken: of a resource, its requests and its download. */
function pathProblems(definition: Definition, taken: ReadonlySet<string>): Problem[] {
  const own: [path: string, address: string | undefined][] = [
    ['/name', definition.name],
    ['/export/path', definition.export?.path],
    ...Object.values(definition.requests).map(({ name, path }): [string, string] => [
      joinPointer('/requests', name, 'path'),
      path,
    ]),
  ];
  return own.flatMap(([path, address]) => {
    const first = address?.split('/')[0];
    if (first === undefined || !taken.has(first)) return [];
    return [{ path, message: `"${first}" is reserved by the product. Choose another name.` }];
  });
}
