import type { EditorState } from '@codemirror/state';
import { joinPointer } from '../../../engine/definitions/problems';
import { lastOf, requireValue } from '../../../engine/values/lookups';
import { nodesAt, type Span } from './jsonPlaces';

/** The text being typed at the cursor, and the range that a completion replaces. */
export interface CompletionSpot extends Span {
  readonly kind: 'key' | 'value';
  /** JSON pointer of the key's object, or of the value. A new array entry is `-`. */
  readonly pointer: string;
  /** Of a key: its current name, and whether a value follows. */
  readonly name?: string;
  readonly hasValue?: boolean;
}

const scalars = new Set(['String', 'Number', 'True', 'False', 'Null']);
const word = /[\w$.-]*$/;

/** The text being typed at a position; undefined if nothing can be completed there. */
export function completionSpotAt(state: EditorState, position: number): CompletionSpot | undefined {
  const ancestors = nodesAt(state, position).filter(({ node }) => !node.type.isError);
  let { node, steps } = lastOf(ancestors);
  if (node.name === 'PropertyName') {
    const property = requireValue(node.parent, 'the property of a name');
    const hasValue =
      property.lastChild !== null && property.lastChild.from > node.to && !property.lastChild.type.isError;
    const { from: start, to: end } = node;
    return {
      kind: 'key',
      pointer: joinPointer('', ...steps.slice(0, -1)),
      from: start,
      to: end,
      name: steps.at(-1),
      hasValue,
    };
  }
  if (scalars.has(node.name))
    return { kind: 'value', pointer: joinPointer('', ...steps), from: node.from, to: node.to };
  if (node.name === '}' || node.name === ']') return undefined;
  // A comma, a colon or an opening brace belongs to its parent node.
  while (!['Object', 'Array', 'Property'].includes(node.name)) {
    ancestors.pop();
    if (ancestors.length === 0) return undefined;
    ({ node, steps } = lastOf(ancestors));
  }
  const line = state.doc.lineAt(position);
  const wordStart = position - (word.exec(state.sliceDoc(line.from, position))?.[0].length ?? 0);
  const span = { from: wordStart, to: position };
  if (node.name === 'Object') return { kind: 'key', pointer: joinPointer('', ...steps), ...span };
  if (node.name === 'Array') return { kind: 'value', pointer: joinPointer('', ...steps, '-'), ...span };
  return { kind: 'value', pointer: joinPointer('', ...steps), ...span };
}
