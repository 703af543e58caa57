import {
  placeIn,
  readDefinitions,
  readValidDefinitions,
  type DefinitionFile,
  type ReadDefinitions,
} from '../../engine/check/read-definitions';
import type { SourceValidator } from '../../engine/check/check-schema';
import type { Definition } from '../../engine/definitions/definition';
import { joinPointer, unknownNameMessage, type Problem } from '../../engine/definitions/problems';
import type { CheckedTexts } from './checked-texts';
import type { DefinitionProblem } from './definition-problem';
import { candidateKey, definitionName, type Candidate, type Candidates } from './candidates';
import { firstOf, getOrThrow, requireValue } from '../../engine/values/lookups';

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
    const fileProblems = read.definitions.flatMap((definition) => {
      const text = requireValue(
        texts.find((definitionText) => definitionName(definitionText.file) === definition.name),
        `the file of ${definition.name}`,
      );
      const problems = [
        ...hookProblems(definition, hooks),
        ...pathProblems(definition, paths),
        ...formatProblems(definition, exportFormats),
      ];
      return problems.map((problem) => ({ ...placeIn(text, problem.path), ...problem }));
    });
    return { ...read, problems: [...read.problems, ...fileProblems] };
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
 * that were active before. `refusedKeys` are the keys of candidates to exclude.
 */
export function resolveActiveDefinitions(
  candidates: Candidates,
  validate: DefinitionsValidator,
  refusedKeys: ReadonlySet<string> = new Set(),
): ActiveDefinitions {
  const faults: DefinitionProblem[] = [];
  const remainingCandidates = new Map(
    [...candidates].map(([name, alternatives]) => [
      name,
      alternatives.filter((candidate) => !refusedKeys.has(candidateKey(candidate))),
    ]),
  );
  for (;;) {
    const inForce = [...remainingCandidates.values()].flatMap(([first]) => first ?? []);
    const read = validate(inForce);
    if (read.problems.length === 0) return { ...read, texts: inForce, problems: faults };
    const problemsOf = ({ file }: Candidate) =>
      read.problems.filter((fault) => definitionName(fault.file) === definitionName(file));
    const invalidCandidates = chooseToDrop(inForce.filter((candidate) => problemsOf(candidate).length > 0));
    for (const invalidCandidate of invalidCandidates) {
      if (getOrThrow(remainingCandidates, definitionName(invalidCandidate.file))[0] !== invalidCandidate) continue;
      const candidateProblems = problemsOf(invalidCandidate);
      if (isReportable(invalidCandidate)) faults.push(...candidateProblems);
      for (const droppedCandidate of candidatesToDrop(invalidCandidate, remainingCandidates, inForce)) {
        remainingCandidates.set(
          definitionName(droppedCandidate.file),
          getOrThrow(remainingCandidates, definitionName(droppedCandidate.file)).filter(
            (candidate) => candidate !== droppedCandidate,
          ),
        );
        if (droppedCandidate === invalidCandidate || !isReportable(droppedCandidate)) continue;
        faults.push({
          file: droppedCandidate.file,
          path: '',
          message: `Conflicts with ${definitionName(invalidCandidate.file)}: ${firstOf(candidateProblems).message}`,
        });
      }
    }
  }
}

/** Without a new text, one that was active before may have no problem any more, so new ones are dropped first. */
function chooseToDrop(invalidCandidates: readonly Candidate[]): readonly Candidate[] {
  const newCandidates = invalidCandidates.filter(({ isNew }) => isNew);
  return newCandidates.length > 0 ? newCandidates : invalidCandidates;
}

/** Only texts written by people are reported. */
export function isReportable({ origin }: Candidate): boolean {
  return origin === 'stored' || origin === 'file';
}

/**
 * The candidates to drop because of a text with problems: the text itself, unless nothing would remain of its name and
 * it refers to definitions that were changed here. Then those fall back to the shipped version: a change must not
 * disable something that ships with the program.
 */
function candidatesToDrop(
  invalidCandidate: Candidate,
  remainingCandidates: ReadonlyMap<string, readonly Candidate[]>,
  inForce: readonly Candidate[],
): readonly Candidate[] {
  const candidatesOf = (file: string) => getOrThrow(remainingCandidates, definitionName(file));
  if (invalidCandidate.origin === 'stored' || candidatesOf(invalidCandidate.file).length > 1) return [invalidCandidate];
  const changedCandidates = inForce.filter(
    (candidate) =>
      (candidate.origin === 'stored' || candidate.origin === 'merged') &&
      candidatesOf(candidate.file)[0] === candidate &&
      candidatesOf(candidate.file).length > 1 &&
      invalidCandidate.text.includes(`"${definitionName(candidate.file)}"`),
  );
  return changedCandidates.length > 0 ? changedCandidates : [invalidCandidate];
}

/** Problems for hooks that are not registered. */
function hookProblems({ hooks: hookNames }: Definition, hooks: ReadonlySet<string>): Problem[] {
  return Object.entries(hookNames).flatMap(([event, names]) =>
    names
      .filter((name) => !hooks.has(name))
      .map((name) => ({ path: joinPointer('/hooks', event), message: unknownNameMessage('hook', name, hooks) })),
  );
}

/** Problems for forms of exports that no code writes. */
function formatProblems({ export: exportFormats }: Definition, knownFormats: ReadonlySet<string>): Problem[] {
  return Object.keys(exportFormats?.formats ?? {})
    .filter((name) => !knownFormats.has(name))
    .map((name) => ({
      path: joinPointer('/export/formats', name),
      message: unknownNameMessage('form of an export', name, knownFormats),
    }));
}

/** Problems for addresses that the product has taken: of a resource, its requests and its download. */
function pathProblems(definition: Definition, takenPaths: ReadonlySet<string>): Problem[] {
  const addresses: [path: string, address: string | undefined][] = [
    ['/name', definition.name],
    ['/export/path', definition.export?.path],
    ...Object.values(definition.requests).map(({ name, path }): [string, string] => [
      joinPointer('/requests', name, 'path'),
      path,
    ]),
  ];
  return addresses.flatMap(([path, address]) => {
    const first = address?.split('/')[0];
    if (first === undefined || !takenPaths.has(first)) return [];
    return [{ path, message: `"${first}" is reserved by the product. Choose another name.` }];
  });
}
