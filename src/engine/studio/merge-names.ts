import type { Source } from '../language/source';
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
  const [localNames, shippedNames] = [
    findRenamedFields(sides.base, sides.changed),
    findRenamedFields(sides.base, sides.shipped),
  ];
  let { base, shipped: shippedSource, changed: changedSource } = sides;
  for (const [name, newName] of new Map([...shippedNames, ...localNames])) {
    const [localName, shippedName] = [localNames.get(name) ?? newName, shippedNames.get(name) ?? newName];
    if (localName !== shippedName || Object.hasOwn(base.fields, newName)) continue;
    const free = (side: Source, renames: boolean) => renames || !Object.hasOwn(side.fields, newName);
    if (!free(changedSource, localNames.has(name)) || !free(shippedSource, shippedNames.has(name))) continue;
    base = renameFieldEverywhere(base, name, newName);
    if (!localNames.has(name)) changedSource = renameFieldEverywhere(changedSource, name, newName);
    if (!shippedNames.has(name)) shippedSource = renameFieldEverywhere(shippedSource, name, newName);
  }
  return { base, shipped: shippedSource, changed: changedSource };
}
