import type { EditorState } from '@codemirror/state';
import { at } from '../../../src/engine/definitions/paths';
import { nodesAt, type Span } from './places';

/** What is being written at the cursor, and which part of the text a completion takes the place of. */
export interface Spot extends Span {
  readonly kind: 'key' | 'value';
  /** JSON pointer: of the object whose key it is, or of the value. An entry of a list that is yet to come is `-`. */
  readonly pointer: string;
  /** Of a key: the one that stands there already, and whether its value follows. */
  readonly name?: string;
  readonly hasValue?: boolean;
}

const scalars = new Set(['String', 'Number', 'True', 'False', 'Null']);
const word = /[\w$.-]*$/;

/** What is being written at a position; undefined where nothing can be completed. */
export function spotAt(state: EditorState, position: number): Spot | undefined {
  const way = nodesAt(state, position).filter(({ node }) => !node.type.isError);
  let { node, steps } = way.at(-1)!;
  if (node.name === 'PropertyName') {
    const property = node.parent!;
    const hasValue =
      property.lastChild !== null && property.lastChild.from > node.to && !property.lastChild.type.isError;
    const { from, to } = node;
    return { kind: 'key', pointer: at('', ...steps.slice(0, -1)), from, to, name: steps.at(-1), hasValue };
  }
  if (scalars.has(node.name)) return { kind: 'value', pointer: at('', ...steps), from: node.from, to: node.to };
  if (node.name === '}' || node.name === ']') return undefined;
  // A comma, a colon or an opening brace belongs to what is around it.
  while (!['Object', 'Array', 'Property'].includes(node.name)) {
    way.pop();
    if (way.length === 0) return undefined;
    ({ node, steps } = way.at(-1)!);
  }
  const line = state.doc.lineAt(position);
  const from = position - (word.exec(state.sliceDoc(line.from, position))?.[0].length ?? 0);
  const span = { from, to: position };
  if (node.name === 'Object') return { kind: 'key', pointer: at('', ...steps), ...span };
  if (node.name === 'Array') return { kind: 'value', pointer: at('', ...steps, '-'), ...span };
  return { kind: 'value', pointer: at('', ...steps), ...span };
}
