import { autocompletion, pickedCompletion, type Completion, type CompletionSource } from '@codemirror/autocomplete';
import type { Extension } from '@codemirror/state';
import { hoverTooltip, type EditorView } from '@codemirror/view';
import { suggestionsAt, type KeySuggestion, type KnownNames } from '../../../engine/studio/schema-suggestions';
import { lastOf } from '../../../engine/values/lookups';
import { nodesAt, placeAt, parseValue } from './jsonPlaces';
import { completionSpotAt, type CompletionSpot } from './completionSpot';
import * as styles from './json.module.css';

/** Completion and explanatory tooltips of the definition language. */
export function language(loadNames: () => KnownNames): Extension {
  return [autocompletion({ icons: false, override: [completions(loadNames)] }), explanations(loadNames)];
}

function completions(loadNames: () => KnownNames): CompletionSource {
  return ({ state, pos, explicit }) => {
    const completionSpot = completionSpotAt(state, pos);
    if (!completionSpot || (!explicit && completionSpot.from === pos)) return null;
    const { keys, values } = suggestionsAt(parseValue(state), completionSpot.pointer, loadNames());
    const options =
      completionSpot.kind === 'key'
        ? keys
            .filter(({ name, used: isUsed }) => !isUsed || name === completionSpot.name)
            .map((key) => keyOption(key, completionSpot))
        : values.map(({ text, description }) => ({ label: text, info: description }));
    return options.length > 0
      ? { from: completionSpot.from, to: completionSpot.to, options, validFor: /^"?[\w$-]*"?$/ }
      : null;
  };
}

function keyOption(
  { name, description, required: isRequired, snippet }: KeySuggestion,
  completionSpot: CompletionSpot,
): Completion {
  const key = JSON.stringify(name);
  return {
    label: key,
    info: description,
    ...(isRequired && { detail: 'required', boost: 1 }),
    apply: (view, completion, start) =>
      write(view, completion, start, completionSpot.hasValue ? key : `${key}: ${snippet}`),
  };
}

/** Inserts a key with an initial value, puts the cursor into the value, and adds a comma if one is missing. */
function write(view: EditorView, completion: Completion, start: number, text: string): void {
  const { state } = view;
  const end = completionSpotAt(state, state.selection.main.head)?.to ?? state.selection.main.head;
  const comma = text.includes(': ') && /^\s*"/.test(state.sliceDoc(end, end + 400)) ? ',' : '';
  const cursorOffset = /(?:""|\{\}|\[\])$/.test(text) ? 1 : 0;
  view.dispatch({
    changes: { from: start, to: end, insert: text + comma },
    selection: { anchor: start + text.length - cursorOffset },
    annotations: pickedCompletion.of(completion),
    userEvent: 'input.complete',
    scrollIntoView: true,
  });
}

function explanations(loadNames: () => KnownNames): Extension {
  return hoverTooltip(({ state }, position) => {
    const { node } = lastOf(nodesAt(state, position));
    if (node.name !== 'PropertyName' && node.name !== 'String') return null;
    const { description, defaultValue } = suggestionsAt(parseValue(state), placeAt(state, position), loadNames());
    if (description === undefined) return null;
    return {
      pos: node.from,
      end: node.to,
      above: true,
      create: () => ({ dom: explanation(description, defaultValue) }),
    };
  });
}

function explanation(description: string, defaultText: string | undefined): HTMLElement {
  const box = Object.assign(document.createElement('div'), { className: styles.jsonExplanation });
  box.append(description);
  if (defaultText !== undefined) {
    const code = Object.assign(document.createElement('code'), { textContent: defaultText });
    const note = Object.assign(document.createElement('small'), { textContent: 'Default ' });
    note.append(code);
    box.append(note);
  }
  return box;
}
