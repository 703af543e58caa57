import type { Source } from '../definitions/source';
import { findRenamedFields } from './diff-definitions';
import { renameFieldEverywhere } from './fields';

interface MergeSides {
  readonly base: Source;
  readonly shipped: Source;
  readonly changed: Source;
}

/**
 * Applies a rename from one side to all three definitions, so that the other side's changes of the field are matched
 * with it. Names that the other side uses for something else are not changed.
 */
export function alignNames(sides: MergeSides): MergeSides {
  const [mine, theirs] = [findRenamedFields(sides.base, sides.changed), findRenamedFields(sides.base, sides.shipped)];
  let { base, shipped, changed } = sides;
  for (const [name, to] of new Map([...theirs, ...mine])) {
    const [here, there] = [mine.get(name) ?? to, theirs.get(name) ?? to];
    if (here !== there || Object.hasOwn(base.fields, to)) continue;
    const free = (side: Source, renames: boolean) => renames || !Object.hasOwn(side.fields, to);
    if (!free(changed, mine.has(name)) || !free(shipped, theirs.has(name))) continue;
    base = renameFieldEverywhere(base, name, to);
    if (!mine.has(name)) changed = renameFieldEverywhere(changed, name, to);
    if (!theirs.has(name)) shipped = renameFieldEverywhere(shipped, name, to);
  }
  return { base, shipped, changed };
}
