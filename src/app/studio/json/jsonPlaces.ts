import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import { joinPointer } from '../../../engine/definitions/problems';

/** A range of a text, as offsets from its start. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The position of a place of the definition in the text. */
export interface FoundPlace {
  /** JSON pointer of what was found: the place or, if the text does not contain it, its nearest ancestor. */
  readonly pointer: string;
  /** Its key with the quotes; undefined for array entries and for the root. */
  readonly key?: Span;
  readonly value: Span;
}

type Node = ReturnType<typeof syntaxTree>['topNode'];

const values = new Set(['True', 'False', 'Null', 'Number', 'String', 'Object', 'Array']);
/** Time limit for parsing in milliseconds; a definition takes only a few. */
const parseTimeLimit = 200;

const treeOf = (state: EditorState) => ensureSyntaxTree(state, state.doc.length, parseTimeLimit) ?? syntaxTree(state);

/** The syntax nodes around a position, outermost first, each with the steps of its JSON pointer. */
export function nodesAt(state: EditorState, position: number): { node: Node; steps: string[] }[] {
  const ancestors: Node[] = [];
  for (let node: Node | null = treeOf(state).resolveInner(position, -1); node; node = node.parent)
    ancestors.unshift(node);
  const steps: string[] = [];
  return ancestors.map((node) => {
    if (node.name === 'Property') steps.push(keyOf(state, node));
    else if (values.has(node.name) && node.parent?.name === 'Array') steps.push(String(indexOf(node)));
    return { node, steps: [...steps] };
  });
}

/** JSON pointer of the innermost place around a position; empty at the root. */
export function placeAt(state: EditorState, position: number): string {
  return joinPointer('', ...(nodesAt(state, position).at(-1)?.steps ?? []));
}

/** The place of the cursor; if the cursor is before or after the content of its line, the place that the line is about. */
export function placeOfCursor(state: EditorState): string {
  const { head } = state.selection.main;
  const line = state.doc.lineAt(head);
  const [cursorPointer, linePointer] = [head, line.from + line.text.search(/\S|$/) + 1].map((position) =>
    placeAt(state, position),
  ) as [string, string];
  return linePointer.startsWith(`${cursorPointer}/`) ? linePointer : cursorPointer;
}

/** The position of a place, or of its nearest ancestor in the text; undefined if the text has no value. */
export function findPlace(state: EditorState, pointer: string): FoundPlace | undefined {
  let value = valueIn(treeOf(state).topNode);
  if (!value) return undefined;
  let foundPlace: FoundPlace = { pointer: '', value: spanOf(value) };
  for (const step of pointerSteps(pointer)) {
    const next: Node | undefined = value && childAt(state, value, step);
    if (!next) return foundPlace;
    const isProperty: boolean = next.name === 'Property';
    const name: Node | null = isProperty ? next.getChild('PropertyName') : null;
    value = isProperty ? valueIn(next) : next;
    foundPlace = {
      pointer: joinPointer(foundPlace.pointer, step),
      ...(name && { key: spanOf(name) }),
      value: spanOf(value ?? next),
    };
  }
  return foundPlace;
}

/** The steps of a JSON pointer. */
export function pointerSteps(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The parsed definition; parts that cannot be parsed are left out. */
export function parseValue(state: EditorState): unknown {
  const value = valueIn(treeOf(state).topNode);
  return value && readNode(state, value);
}

function readNode(state: EditorState, node: Node): unknown {
  if (node.name === 'Array') return entriesOf(node).map((entry) => readNode(state, entry));
  if (node.name === 'Object') {
    const pairs = node.getChildren('Property').map((property) => {
      const value = valueIn(property);
      return [keyOf(state, property), value && readNode(state, value)] as const;
    });
    return Object.fromEntries(pairs);
  }
  try {
    return JSON.parse(state.sliceDoc(node.from, node.to));
  } catch {
    return undefined;
  }
}

function childAt(state: EditorState, value: Node, step: string): Node | undefined {
  if (value.name === 'Object') return value.getChildren('Property').find((property) => keyOf(state, property) === step);
  if (value.name !== 'Array') return undefined;
  return entriesOf(value)[Number(step)];
}

function keyOf(state: EditorState, property: Node): string {
  const name = property.getChild('PropertyName');
  const text = name ? state.sliceDoc(name.from, name.to) : '';
  try {
    return String(JSON.parse(text));
  } catch {
    return text.replaceAll('"', '');
  }
}

function valueIn(parent: Node): Node | undefined {
  return entriesOf(parent)[0];
}

function entriesOf(parent: Node): Node[] {
  const entries: Node[] = [];
  for (let child = parent.firstChild; child; child = child.nextSibling) if (values.has(child.name)) entries.push(child);
  return entries;
}

function indexOf(node: Node): number {
  let index = 0;
  for (let sibling = node.prevSibling; sibling; sibling = sibling.prevSibling) if (values.has(sibling.name)) index++;
  return index;
}

const spanOf = ({ from: start, to: end }: Node): Span => ({ from: start, to: end });
