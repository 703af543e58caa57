import { lastOf, itemAt } from '../values/lookups';
/** A problem in a source definition: its place (a JSON pointer) and a message. */
export interface Problem {
  readonly path: string;
  readonly message: string;
}

/** A problem in a file of definitions. */
export interface FileProblem extends Problem {
  readonly file: string;
  /** The line of the place in the file, from 1. */
  readonly line: number;
}

/**
 * A JSON pointer one step further.
 *
 * @example joinPointer('/fields', 'a/b', 'label'); // '/fields/a~1b/label'
 */
export function joinPointer(path: string, ...steps: (string | number)[]): string {
  return steps.reduce<string>(
    (pointer, step) => `${pointer}/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`,
    path,
  );
}

/**
 * `Unknown field "nam". Did you mean "name"?`
 *
 * @example unknownNameMessage('field', 'nam', ['name', 'state']); // 'Unknown field "nam". Did you mean "name"?'
 */
export function unknownNameMessage(kind: string, name: string, knownNames: Iterable<string>): string {
  const guess = closestName(name, knownNames);
  return `Unknown ${kind} "${name}".${guess === undefined ? '' : ` Did you mean "${guess}"?`}`;
}

/**
 * The closest of some names, for "did you mean"; undefined if none is close.
 *
 * @example closestName('stauts', ['status', 'name']); // 'status'
 */
export function closestName(name: string, names: Iterable<string>): string | undefined {
  let closest: string | undefined;
  let shortestDistance = Math.max(2, Math.floor(name.length / 3)) + 1;
  for (const candidate of names) {
    const isPrefix = name.length > 2 && (candidate.startsWith(name) || name.startsWith(`${candidate}_`));
    const distance = isPrefix ? 1 : editDistance(name, candidate);
    if (distance < shortestDistance) [closest, shortestDistance] = [candidate, distance];
  }
  return closest;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, character] of a.split('').entries()) {
    const next = [i + 1];
    for (const [j, costAbove] of row.slice(1).entries())
      next.push(Math.min(lastOf(next) + 1, costAbove + 1, itemAt(row, j) + (character === b[j] ? 0 : 1)));
    row = next;
  }
  return lastOf(row);
}
