import { isTakenResource } from '../definitions/check-names';
import { nameFrom } from './field-names';

const longest = 63;
/** The maximum length of a generated name: join tables append a field name. */
const madeAtMost = 40;

/** Creates a name for a new module from its plural label: `Release Notes` → `release-notes`. */
export function freeModuleName(many: string, taken: Iterable<string> = []): string {
  const all = new Set(taken);
  const words = nameFrom(many, 'module').slice(0, madeAtMost).replace(/_+$/, '').replaceAll('_', '-');
  // Names that begin like the database's own ("pg-backups") stay reserved with any number at the end.
  const name = isTakenResource(`${words}-2`) ? `module-${words}` : words;
  for (let number = 1; ; number += 1) {
    const tried = number === 1 ? name : `${name}-${number}`;
    if (whyNoModuleName(tried, all) === undefined) return tried;
  }
}

/** Why a module cannot have this name, as text; undefined if it can. `taken` are the existing names. */
export function whyNoModuleName(name: string, taken: Iterable<string> = []): string | undefined {
  const all = new Set(taken);
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))
    return 'Names are words of lower-case letters and digits, joined by -.';
  if (name.length > longest) return `Names must have at most ${longest} characters.`;
  if (isTakenResource(name)) return `"${name}" is reserved by the program.`;
  if (all.has(name)) return `A module "${name}" already exists.`;
  const exported = [...all].find((other) => name === `${other}-export` || other === `${name}-export`);
  return exported === undefined ? undefined : `"${name}" would clash with the download of "${exported}".`;
}
