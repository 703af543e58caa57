import { isReservedResource } from '../check/check-names';
import { nameFromLabel } from './field-names';

const maxLength = 63;
/** The maximum length of a generated name: join tables append a field name. */
const maxGeneratedLength = 40;

/** Creates a name for a new module from its plural label: `Release Notes` → `release-notes`. */
export function uniqueModuleName(plural: string, usedNames: Iterable<string> = []): string {
  const allNames = new Set(usedNames);
  const words = nameFromLabel(plural, 'module').slice(0, maxGeneratedLength).replace(/_+$/, '').replaceAll('_', '-');
  // Names that begin like the database's own ("pg-backups") stay reserved with any number at the end.
  const name = isReservedResource(`${words}-2`) ? `module-${words}` : words;
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${name}-${number}`;
    if (moduleNameProblem(candidate, allNames) === undefined) return candidate;
  }
}

/** Why a module cannot have this name, as text; undefined if it can. `usedNames` are the existing names. */
export function moduleNameProblem(name: string, usedNames: Iterable<string> = []): string | undefined {
  const allNames = new Set(usedNames);
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))
    return 'Names are words of lower-case letters and digits, joined by -.';
  if (name.length > maxLength) return `Names must have at most ${maxLength} characters.`;
  if (isReservedResource(name)) return `"${name}" is reserved by the program.`;
  if (allNames.has(name)) return `A module "${name}" already exists.`;
  const exportOwner = [...allNames].find((usedName) => name === `${usedName}-export` || usedName === `${name}-export`);
  return exportOwner === undefined ? undefined : `"${name}" would clash with the download of "${exportOwner}".`;
}
