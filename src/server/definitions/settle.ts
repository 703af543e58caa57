import { readDefinitions, type ReadDefinitions } from '../../engine/definitions/read';
import type { SourceJudge } from '../../engine/definitions/check-schema';
import { at, unknownName } from '../../engine/definitions/paths';
import type { DefinitionFault } from './definition-fault';
import { keyOf, nameOf, type Candidate, type Candidates } from './candidates';

/** Definitions that fit together, the texts that they come from, and what is wrong with those that had to stand back. */
export interface Settled extends Omit<ReadDefinitions, 'faults'> {
  readonly inForce: readonly Candidate[];
  readonly faults: readonly DefinitionFault[];
}

/** Judges texts all together: by the language, by one another, and by the hooks that are written. */
export type Judge = (texts: readonly { file: string; text: string }[]) => ReadDefinitions;

/** The judge of a program with these hooks. */
export function judgeOf(bySchema: SourceJudge, hooks: ReadonlySet<string>): Judge {
  return (texts) => {
    const read = readDefinitions(texts, bySchema);
    return { ...read, faults: [...read.faults, ...hookFaults(read, texts, hooks)] };
  };
}

/**
 * Chooses of every name the first candidate with which all is whole: one with a fault stands back for the next, and the
 * name is left out where there is none. `refused` are the keys of candidates that have to stand back anyway.
 */
export function settle(candidates: Candidates, judge: Judge, refused: ReadonlySet<string> = new Set()): Settled {
  const faults: DefinitionFault[] = [];
  const left = new Map([...candidates].map(([name, all]) => [name, all.filter((one) => !refused.has(keyOf(one)))]));
  for (;;) {
    const inForce = [...left.values()].flatMap(([first]) => first ?? []);
    const read = judge(inForce);
    if (read.faults.length === 0) return { ...read, inForce, faults };
    const broken = inForce.filter(({ file }) => read.faults.some((fault) => fault.file === file));
    for (const one of broken) {
      if (left.get(nameOf(one.file))![0] !== one) continue;
      const wrong = read.faults.filter(({ file }) => file === one.file);
      if (isReported(one)) faults.push(...wrong);
      for (const guilty of standingBack(one, left, inForce)) {
        left.set(
          nameOf(guilty.file),
          left.get(nameOf(guilty.file))!.filter((other) => other !== guilty),
        );
        if (guilty === one || !isReported(guilty)) continue;
        faults.push({
          file: guilty.file,
          path: '',
          message: `${nameOf(one.file)} does not fit it: ${wrong[0]!.message}`,
        });
      }
    }
  }
}

/** What nobody wrote by hand has nobody to report to. */
export function isReported({ from }: Candidate): boolean {
  return from === 'stored' || from === 'file';
}

/**
 * Who makes room for a text with faults: itself, unless nothing would be left of its name and it speaks of definitions
 * that were changed here. Then those return to what was shipped: a change must not cost what came with the program.
 */
function standingBack(
  broken: Candidate,
  left: ReadonlyMap<string, readonly Candidate[]>,
  inForce: readonly Candidate[],
): readonly Candidate[] {
  const of = (file: string) => left.get(nameOf(file))!;
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

/** A definition may name only hooks that are written. */
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
