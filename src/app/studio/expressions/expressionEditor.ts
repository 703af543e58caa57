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
import expression from '../../../../schemas/expression.schema.json' with { type: 'json' };
import type { ExpressionSuggestion } from '../../../engine/studio/expression-suggestions';
import { completionSpotAt, type CompletionSpot } from '../json/completionSpot';
import { externalChange } from '../json/editor';
import { errorField, fixLine } from '../json/editorErrors';
import { theme } from '../json/theme';

interface ExpressionEditorOptions {
  readonly text: string;
  readonly label: string;
  readonly describedBy: string;
  /** The names that can be written now. */
  suggestions(): readonly ExpressionSuggestion[];
  onWrite(text: string): void;
  onUndo(): void;
  onRedo(): void;
}

const descriptions = expression.properties as Readonly<Record<string, { readonly description: string }>>;

/** Creates an editor of one expression. Undo and redo are those of the draft; Tab leaves it. */
export function createExpressionEditor(parent: HTMLElement, options: ExpressionEditorOptions): EditorView {
  const step = (act: () => void) => () => (act(), true);
  const ownKeys = keymap.of([
    { key: 'Mod-z', run: step(options.onUndo), preventDefault: true, stopPropagation: true },
    { key: 'Mod-Shift-z', run: step(options.onRedo), preventDefault: true, stopPropagation: true },
    { key: 'Mod-y', run: step(options.onRedo), preventDefault: true, stopPropagation: true },
    { key: 'Mod-.', run: fixLine },
  ]);
  const extensions = [
    [drawSelection(), json(), indentOnInput(), bracketMatching(), closeBrackets(), EditorState.tabSize.of(2)],
    // Enter takes an offered completion however soon it comes: a line break there would only break the text.
    autocompletion({
      icons: false,
      interactionDelay: 0,
      override: [completions(() => options.suggestions())],
    }),
    errorField,
    [ownKeys, keymap.of([...closeBracketsKeymap, ...completionKeymap]), keymap.of(defaultKeymap)],
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': options.label, 'aria-describedby': options.describedBy }),
    EditorView.updateListener.of((update) => {
      if (!update.docChanged || update.transactions.some((transaction) => transaction.annotation(externalChange)))
        return;
      options.onWrite(update.state.doc.toString());
    }),
    [theme, EditorView.theme({ '&': { height: 'auto', maxHeight: '320px' }, '.cm-line': { padding: '0 12px' } })],
  ];
  return new EditorView({ parent, state: EditorState.create({ doc: options.text, extensions }) });
}

/** Fields, lookups and functions with what they take, wherever a value or an operator can be. */
export function completions(suggestions: () => readonly ExpressionSuggestion[]): CompletionSource {
  return ({ state, pos, explicit }) => {
    const completionSpot = completionSpotAt(state, pos);
    if (!completionSpot || (!explicit && completionSpot.from === pos)) return null;
    const allSuggestions = suggestions();
    const options =
      completionSpot.kind === 'key'
        ? allSuggestions
            .filter(({ kind }) => kind === 'function')
            .map((suggestion) => toOption(suggestion, completionSpot))
        : allSuggestions.map((suggestion) => toOption(suggestion, completionSpot));
    return { from: completionSpot.from, to: completionSpot.to, options, validFor: /^"?[\w$.]*"?$/ };
  };
}

function toOption({ kind, name, detail }: ExpressionSuggestion, completionSpot: CompletionSpot): Completion {
  const key = JSON.stringify(name);
  const skeleton = name === '$if' ? `${key}: { "condition": {}, "then": null, "else": null }` : `${key}: []`;
  const text =
    kind !== 'function' || completionSpot.hasValue ? key : completionSpot.kind === 'key' ? skeleton : `{ ${skeleton} }`;
  return {
    label: key,
    displayLabel: name,
    detail,
    info: descriptions[name]?.description.replaceAll('`', ''),
    apply: (view, completion, start, typedEnd) => insert(view, completion, { from: start, to: typedEnd }, text),
  };
}

/** Replaces the typed text by the chosen completion, and puts the cursor where its first argument goes. */
function insert(
  view: EditorView,
  completion: Completion,
  { from: start, to: typedEnd }: { from: number; to: number },
  text: string,
) {
  const empty = /\[\]|\{\}/.exec(text)?.index;
  const end = Math.max(typedEnd, completionSpotAt(view.state, view.state.selection.main.head)?.to ?? typedEnd);
  view.dispatch({
    changes: { from: start, to: end, insert: text },
    selection: { anchor: start + (empty === undefined ? text.length : empty + 1) },
    annotations: pickedCompletion.of(completion),
    userEvent: 'input.complete',
    scrollIntoView: true,
  });
}
