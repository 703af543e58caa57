import { closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, indentWithTab } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { bracketMatching, codeFolding, foldGutter, foldKeymap, indentOnInput } from '@codemirror/language';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { Annotation, EditorState, type Extension, RangeSetBuilder } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  type ViewUpdate,
  Decoration,
  type DecorationSet,
  ViewPlugin,
} from '@codemirror/view';
import { errorField, fixLine } from './editorErrors';
import { placeOfCursor } from './jsonPlaces';
import { theme } from './theme';
import * as styles from './json.module.css';
import { requireValue } from '../../../engine/values/lookups';

/** Additional indent of wrapped lines, in characters. */
const wrapIndent = 2;

/** Wrapped lines continue below their own start, indented one step further. */
const hangingIndent: Extension = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;

    constructor(view: EditorView) {
      this.decorations = indents(view);
    }

    update(update: ViewUpdate) {
      if (update.docChanged || update.viewportChanged) this.decorations = indents(update.view);
    }
  },
  { decorations: ({ decorations }) => decorations },
);

function indents(view: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  for (const { from: start, to: end } of view.visibleRanges) {
    for (let position = start; position <= end;) {
      const line = view.state.doc.lineAt(position);
      const indent = (/^ */.exec(line.text)?.[0].length ?? 0) + wrapIndent;
      builder.add(line.from, line.from, Decoration.line({ attributes: { style: `--indent: ${indent}ch` } }));
      position = line.to + 1;
    }
  }
  return builder.finish();
}

/** Marks transactions that do not come from the user's typing. */
export const externalChange = Annotation.define<boolean>();

/** Callbacks of the editor. */
export interface EditorEvents {
  /** `isSeparate`: not typed, and undone as a separate step. */
  onWrite(text: string, apart: boolean): void;
  /** The cursor moved to another place, given as a JSON pointer. */
  onPlace(place: string): void;
  onUndo(): void;
  onRedo(): void;
}

interface EditorOptions extends EditorEvents {
  text: string;
  /** The accessible name, and the id of the element that describes the keyboard shortcuts. */
  label: string;
  describedBy: string;
  /** Completion and tooltips of the definition language. */
  language: Extension;
}

/** Creates a JSON editor. Undo and redo are delegated to the draft, so that all panes share one history. */
export function createEditor(parent: HTMLElement, options: EditorOptions): EditorView {
  const { onUndo, onRedo } = options;
  const step = (act: () => void) => () => (act(), true);
  const ownKeys = keymap.of([
    { key: 'Mod-z', run: step(onUndo), preventDefault: true, stopPropagation: true },
    { key: 'Mod-Shift-z', run: step(onRedo), preventDefault: true, stopPropagation: true },
    { key: 'Mod-y', run: step(onRedo), preventDefault: true, stopPropagation: true },
    { key: 'Mod-.', run: fixLine },
  ]);
  const extensions = [
    [lineNumbers(), foldGutter({ markerDOM }), codeFolding({ placeholderText: '…' })],
    [drawSelection(), highlightActiveLine(), highlightActiveLineGutter(), highlightSelectionMatches()],
    [json(), indentOnInput(), bracketMatching(), closeBrackets(), EditorState.tabSize.of(2)],
    [options.language, search({ top: true }), errorField],
    [ownKeys, keymap.of([...closeBracketsKeymap, ...completionKeymap, ...searchKeymap, ...foldKeymap, indentWithTab])],
    keymap.of(defaultKeymap),
    [EditorView.lineWrapping, hangingIndent],
    EditorView.contentAttributes.of({ 'aria-label': options.label, 'aria-describedby': options.describedBy }),
    EditorView.domEventHandlers({ beforeinput: (event) => handleBrowserUndo(event, options) }),
    EditorView.updateListener.of((update) => {
      if (update.transactions.some((transaction) => transaction.annotation(externalChange))) return;
      if (update.docChanged) options.onWrite(update.state.doc.toString(), isFix(update));
      const hasMoved = update.docChanged || update.selectionSet;
      if (hasMoved && update.view.hasFocus) options.onPlace(placeOfCursor(update.state));
    }),
    theme,
  ];
  return new EditorView({ parent, state: EditorState.create({ doc: options.text, extensions }) });
}

/** Replaces the changed part of the text; the cursor and the scroll position stay. `follow`: moves the cursor to the change. */
export function replaceText(view: EditorView, text: string, follow: boolean): void {
  const textBefore = view.state.doc.toString();
  const minLength = Math.min(textBefore.length, text.length);
  let start = 0;
  while (start < minLength && textBefore[start] === text[start]) start++;
  let end = 0;
  while (end < minLength - start && textBefore[textBefore.length - 1 - end] === text[text.length - 1 - end]) end++;
  view.dispatch({
    changes: { from: start, to: textBefore.length - end, insert: text.slice(start, text.length - end) },
    ...(follow && { selection: { anchor: text.length - end }, scrollIntoView: true }),
    annotations: externalChange.of(true),
  });
}

/** The browser's own undo, as in its context menu, does not know the draft's history: redirect it. */
function handleBrowserUndo(event: InputEvent, { onUndo, onRedo }: EditorEvents): boolean {
  if (event.inputType !== 'historyUndo' && event.inputType !== 'historyRedo') return false;
  event.preventDefault();
  if (event.inputType === 'historyUndo') onUndo();
  else onRedo();
  return true;
}

function markerDOM(open: boolean): HTMLElement {
  return Object.assign(document.createElement('span'), {
    className: styles.jsonFold,
    textContent: open ? '⌄' : '›',
    title: open ? 'Fold' : 'Unfold',
  });
}

const isFix = ({ transactions }: ViewUpdate) =>
  transactions.some((transaction) => transaction.isUserEvent('input.fix'));

/** The editor of a component that is on the page: its effects create it before they use it. */
export const viewOf = (editor: { readonly current: EditorView | null }) => requireValue(editor.current, 'the editor');
