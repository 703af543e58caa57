import { isReservedResource } from '../definitions/check-names';
import { nameFromLabel } from './field-names';

const maxLength = 63;
/** The maximum length of a generated name: join tables append a field name. */
const maxGeneratedLength = 40;

/** Creates a name for a new module from its plural label: `Release Notes` → `release-notes`. */
export function uniqueModuleName(many: string, taken: Iterable<string> = []): string {
  const all = new Set(taken);
  const words = nameFromLabel(many, 'module').slice(0, maxGeneratedLength).replace(/_+$/, '').replaceAll('_', '-');
  // Names that begin like the database's own ("pg-backups") stay reserved with any number at the end.
  const name = isReservedResource(`${words}-2`) ? `module-${words}` : words;
  for (let number = 1; ; number += 1) {
    const tried = number === 1 ? name : `${name}-${number}`;
    if (moduleNameProblem(tried, all) === undefined) return tried;
  }
}

/** Why a module cannot have this name, as text; undefined if it can. `taken` are the existing names. */
export function moduleNameProblem(name: string, taken: Iterable<string> = []): string | undefined {
  const all = new Set(taken);
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))
    return 'Names are words of lower-case letters and digits, joined by -.';
  if (name.length > maxLength) return `Names must have at most ${maxLength} characters.`;
  if (isReservedResource(name)) return `"${name}" is reserved by the program.`;
  if (all.has(name)) return `A module "${name}" already exists.`;
  const exported = [...all].find((other) => name === `${other}-export` || other === `${name}-export`);
  return exported === undefined ? undefined : `"${name}" would clash with the download of "${exported}".`;
}
