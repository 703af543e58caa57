import { basename } from 'node:path';
import { readDefinitions, type DefinitionFile, type ReadDefinitions } from '../../engine/definitions/read';
import type { SourceJudge } from '../../engine/definitions/check-schema';
import { at, unknownName } from '../../engine/definitions/paths';
import type { DefinitionFault } from '../program';
import type { GoodTexts } from './good-texts';

/** Definitions that fit together, the files they come from, and what is wrong with files that had to stand back. */
export interface Settled extends Omit<ReadDefinitions, 'faults'> {
  readonly files: readonly DefinitionFile[];
  readonly faults: readonly DefinitionFault[];
}

/**
 * Reads files of definitions so that what comes out is whole: a file with a fault stands back for its last good text,
 * or is left out where there is none. `standBack` are files (by base name) that have to stand back anyway.
 */
export function settle(
  files: readonly DefinitionFile[],
  good: GoodTexts,
  judge: SourceJudge,
  hooks: ReadonlySet<string>,
  standBack: ReadonlySet<string> = new Set(),
): Settled {
  const faults: DefinitionFault[] = [];
  let current = files.flatMap((file) => (standBack.has(basename(file.file)) ? goodOf(file, good) : [file]));
  for (;;) {
    const read = readDefinitions(current, judge);
    const wrong = [...read.faults, ...hookFaults(read, current, hooks)];
    if (wrong.length === 0) return { ...read, files: current, faults };
    faults.push(...wrong.filter(({ file }) => files.some((one) => one.file === file && current.includes(one))));
    const broken = new Set(wrong.map(({ file }) => file));
    current = current.flatMap((file) => {
      if (!broken.has(file.file)) return [file];
      return goodOf(file, good).filter(({ text }) => text !== file.text);
    });
  }
}

function goodOf({ file }: DefinitionFile, good: GoodTexts): DefinitionFile[] {
  const text = good.get(basename(file));
  return text === undefined ? [] : [{ file, text }];
}

/** A definition may name only hooks that are written. */
function hookFaults(
  { definitions }: ReadDefinitions,
  files: readonly DefinitionFile[],
  hooks: ReadonlySet<string>,
): DefinitionFault[] {
  return definitions.flatMap((definition) => {
    const { file } = files.find((one) => basename(one.file) === `${definition.name}.json`)!;
    return Object.entries(definition.hooks).flatMap(([event, names]) =>
      names
        .filter((name) => !hooks.has(name))
        .map((name) => ({ file, path: at('/hooks', event), message: unknownName('hook', name, hooks) })),
    );
  });
}
