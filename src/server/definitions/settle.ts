import { readDefinitions, type ReadDefinitions } from '../../engine/definitions/read';
import type { SourceJudge } from '../../engine/definitions/check-schema';
import { at, unknownName } from '../../engine/definitions/paths';
import type { DefinitionFault } from './definition-fault';
import { keyOf, nameOf, type Candidate, type Candidates } from './candidates';

/** Definitions that are valid together, the texts they come from, and the problems of those that were dropped. */
export interface Settled extends Omit<ReadDefinitions, 'faults'> {
  readonly inForce: readonly Candidate[];
  readonly faults: readonly DefinitionFault[];
}

/** Validates all texts together: by the schema, against each other, and against the registered hooks. */
export type Judge = (texts: readonly { file: string; text: string }[]) => ReadDefinitions;

/** Creates the validator of a program with these hooks. */
export function judgeOf(validateSource: SourceJudge, hooks: ReadonlySet<string>): Judge {
  return (texts) => {
    const read = readDefinitions(texts, validateSource);
    return { ...read, faults: [...read.faults, ...hookFaults(read, texts, hooks)] };
  };
}

/**
 * Chooses the first candidate of every name so that all definitions are valid together: one with a problem falls back
 * to the next, and the name is left out if there is none. `refused` are the keys of candidates to exclude.
 */
export function settle(candidates: Candidates, validate: Judge, refused: ReadonlySet<string> = new Set()): Settled {
  const faults: DefinitionFault[] = [];
  const remaining = new Map(
    [...candidates].map(([name, all]) => [name, all.filter((one) => !refused.has(keyOf(one)))]),
  );
  for (;;) {
    const inForce = [...remaining.values()].flatMap(([first]) => first ?? []);
    const read = validate(inForce);
    if (read.faults.length === 0) return { ...read, inForce, faults };
    const broken = inForce.filter(({ file }) => read.faults.some((fault) => fault.file === file));
    for (const one of broken) {
      if (remaining.get(nameOf(one.file))![0] !== one) continue;
      const wrong = read.faults.filter(({ file }) => file === one.file);
      if (isReported(one)) faults.push(...wrong);
      for (const dropped of standingBack(one, remaining, inForce)) {
        remaining.set(
          nameOf(dropped.file),
          remaining.get(nameOf(dropped.file))!.filter((other) => other !== dropped),
        );
        if (dropped === one || !isReported(dropped)) continue;
        faults.push({
          file: dropped.file,
          path: '',
          message: `Conflicts with ${nameOf(one.file)}: ${wrong[0]!.message}`,
        });
      }
    }
  }
}

/** Only texts written by people are reported. */
export function isReported({ from }: Candidate): boolean {
  return from === 'stored' || from === 'file';
}

/**
 * The candidates to drop because of a text with problems: the text itself, unless nothing would remain of its name and
 * it refers to definitions that were changed here. Then those fall back to the shipped version: a change must not
 * disable something that ships with the program.
 */
function standingBack(
  broken: Candidate,
  remaining: ReadonlyMap<string, readonly Candidate[]>,
  inForce: readonly Candidate[],
): readonly Candidate[] {
  const of = (file: string) => remaining.get(nameOf(file))!;
  if (broken.from === 'stored' || of(broken.file).length > 1) return [broken];
  const changed = inForce.filter(
    (one) =>
      (one.from === 'stored' || one.from === 'merged') &&
      of(one.file)[0] === one &&
      of(one.file).length > 1 &&
      broken.text.includes(`"${nameOf(one.file)}"`),
  );
  return changed.length > 0 ? changed : [broken];
}

/** Problems for hooks that are not registered. */
function hookFaults(
  { definitions }: ReadDefinitions,
  texts: readonly { file: string }[],
  hooks: ReadonlySet<string>,
): ReadDefinitions['faults'] {
  return definitions.flatMap((definition) => {
    const { file } = texts.find((one) => nameOf(one.file) === definition.name)!;
    return Object.entries(definition.hooks).flatMap(([event, names]) =>
      names
        .filter((name) => !hooks.has(name))
        .map((name) => ({
          file,
          path: at('/hooks', event),
          line: 1,
          message: unknownName('hook', name, hooks),
        })),
    );
  });
}
