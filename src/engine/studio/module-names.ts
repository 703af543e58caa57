import { isTakenResource } from '../definitions/check-names';
import { nameFrom } from './field-names';

const longest = 63;
/** Of a name made from words: fields of many relations need room behind it. */
const madeAtMost = 40;

/** A name for a new module, from what its records are called: `Release Notes` → `release-notes`. */
export function freeModuleName(many: string, taken: Iterable<string> = []): string {
  const all = new Set(taken);
  const words = nameFrom(many, 'module').slice(0, madeAtMost).replace(/_+$/, '').replaceAll('_', '-');
  // No number behind it makes a name free that begins as the database's own do ("pg-backups").
  const name = isTakenResource(`${words}-2`) ? `module-${words}` : words;
  for (let number = 1; ; number += 1) {
    const tried = number === 1 ? name : `${name}-${number}`;
    if (whyNoModuleName(tried, all) === undefined) return tried;
  }
}

/** Why a module cannot be called so, in words; undefined where it can. `taken` are the names of those that there are. */
export function whyNoModuleName(name: string, taken: Iterable<string> = []): string | undefined {
  const all = new Set(taken);
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))
    return 'Names are words of small letters and digits with - between them.';
  if (name.length > longest) return `Names have ${longest} characters at most.`;
  if (isTakenResource(name)) return `"${name}" is a name that the program keeps for itself.`;
  if (all.has(name)) return `There is a module "${name}" already.`;
  const exported = [...all].find((other) => name === `${other}-export` || other === `${name}-export`);
  return exported === undefined ? undefined : `"${name}" would stand in the way of the download of "${exported}".`;
}
