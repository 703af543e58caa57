import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  pickedCompletion,
  type Completion,
  type CompletionSource,
} from '@codemirror/autocomplete';
import { defaultKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { bracketMatching, indentOnInput } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { drawSelection, EditorView, keymap } from '@codemirror/view';
import expression from '../../../../../schemas/expression.schema.json' with { type: 'json' };
import type { ExpressionSuggestion } from '../../../../engine/studio/expression-suggestions';
import { completionSpotAt, type CompletionSpot } from '../json/completionSpot';
import { externalChange } from '../json/editor';
import { errorField, fixLine } from '../json/editorErrors';
import { theme } from '../json/theme';

interface ExpressionEditorOptions {
  readonly text: string;
  readonly label: string;
  readonly describedBy: string;
  /** What can be written now. */
  suggestions(): readonly ExpressionSuggestion[];
  onWrite(text: string): void;
  onUndo(): void;
  onRedo(): void;
}

const descriptions = expression.properties as Readonly<Record<string, { readonly description: string }>>;

/** Creates an editor of one expression. Undo and redo are those of the draft; Tab leaves it. */
export function createExpressionEditor(parent: HTMLElement, options: ExpressionEditorOptions): EditorView {
  const step = (act: () => void) => () => (act(), true);
  const own = keymap.of([
    { key: 'Mod-z', run: step(options.onUndo), preventDefault: true, stopPropagation: true },
    { key: 'Mod-Shift-z', run: step(options.onRedo), preventDefault: true, stopPropagation: true },
    { key: 'Mod-y', run: step(options.onRedo), preventDefault: true, stopPropagation: true },
    { key: 'Mod-.', run: fixLine },
  ]);
  const extensions = [
    [drawSelection(), json(), indentOnInput(), bracketMatching(), closeBrackets(), EditorState.tabSize.of(2)],
    // What is offered is taken by Enter however soon it comes: a line break there would only break the text.
    autocompletion({
      icons: false,
      interactionDelay: 0,
      override: [completions(() => options.suggestions())],
    }),
    errorField,
    [own, keymap.of([...closeBracketsKeymap, ...completionKeymap]), keymap.of(defaultKeymap)],
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': options.label, 'aria-describedby': options.describedBy }),
    EditorView.updateListener.of((update) => {
      if (!update.docChanged || update.transactions.some((one) => one.annotation(externalChange))) return;
      options.onWrite(update.state.doc.toString());
    }),
    [theme, EditorView.theme({ '&': { height: 'auto', maxHeight: '320px' }, '.cm-line': { padding: '0 12px' } })],
  ];
  return new EditorView({ parent, state: EditorState.create({ doc: options.text, extensions }) });
}

/** Fields, lookups and functions with what they take, wherever a value or an operator can be. */
export function completions(suggestions: () => readonly ExpressionSuggestion[]): CompletionSource {
  return ({ state, pos, explicit }) => {
    const spot = completionSpotAt(state, pos);
    if (!spot || (!explicit && spot.from === pos)) return null;
    const all = suggestions();
    const options =
      spot.kind === 'key'
        ? all.filter(({ kind }) => kind === 'function').map((one) => toOption(one, spot))
        : all.map((one) => toOption(one, spot));
    return { from: spot.from, to: spot.to, options, validFor: /^"?[\w$.]*"?$/ };
  };
}

function toOption({ kind, name, detail }: ExpressionSuggestion, spot: CompletionSpot): Completion {
  const key = JSON.stringify(name);
  const started = name === '$if' ? `${key}: { "condition": {}, "then": null, "else": null }` : `${key}: []`;
  const text = kind !== 'function' || spot.hasValue ? key : spot.kind === 'key' ? started : `{ ${started} }`;
  return {
    label: key,
    displayLabel: name,
    detail,
    info: descriptions[name]?.description.replaceAll('`', ''),
    apply: (view, completion, from, to) => insert(view, completion, { from, to }, text),
  };
}

/** Inserts what was chosen in the place of what is typed, and puts the cursor where its first argument goes. */
function insert(view: EditorView, completion: Completion, { from, to }: { from: number; to: number }, text: string) {
  const empty = /\[\]|\{\}/.exec(text)?.index;
  const end = Math.max(to, completionSpotAt(view.state, view.state.selection.main.head)?.to ?? to);
  view.dispatch({
    changes: { from, to: end, insert: text },
    selection: { anchor: from + (empty === undefined ? text.length : empty + 1) },
    annotations: pickedCompletion.of(completion),
    userEvent: 'input.complete',
    scrollIntoView: true,
  });
}
