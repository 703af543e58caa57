import { autocompletion, pickedCompletion, type Completion, type CompletionSource } from '@codemirror/autocomplete';
import type { Extension } from '@codemirror/state';
import { hoverTooltip, type EditorView } from '@codemirror/view';
import { suggestionsAt, type KeySuggestion, type KnownNames } from '../../../../engine/studio/schema-suggestions';
import { nodesAt, placeAt, parseValue } from './places';
import { completionSpotAt, type CompletionSpot } from './completionSpot';
import * as styles from './json.module.css';

/** Completion and explanatory tooltips of the definition language. */
export function language(known: () => KnownNames): Extension {
  return [autocompletion({ icons: false, override: [completions(known)] }), explanations(known)];
}

function completions(known: () => KnownNames): CompletionSource {
  return ({ state, pos, explicit }) => {
    const spot = completionSpotAt(state, pos);
    if (!spot || (!explicit && spot.from === pos)) return null;
    const { keys, values } = suggestionsAt(parseValue(state), spot.pointer, known());
    const options =
      spot.kind === 'key'
        ? keys.filter(({ name, used }) => !used || name === spot.name).map((key) => keyOption(key, spot))
        : values.map(({ text, description }) => ({ label: text, info: description }));
    return options.length > 0 ? { from: spot.from, to: spot.to, options, validFor: /^"?[\w$-]*"?$/ } : null;
  };
}

function keyOption({ name, description, required, snippet }: KeySuggestion, spot: CompletionSpot): Completion {
  const key = JSON.stringify(name);
  return {
    label: key,
    info: description,
    ...(required && { detail: 'required', boost: 1 }),
    apply: (view, completion, from) => write(view, completion, from, spot.hasValue ? key : `${key}: ${snippet}`),
  };
}

/** Inserts a key with an initial value, puts the cursor into the value, and adds a comma if one is missing. */
function write(view: EditorView, completion: Completion, from: number, text: string): void {
  const { state } = view;
  const to = completionSpotAt(state, state.selection.main.head)?.to ?? state.selection.main.head;
  const comma = text.includes(': ') && /^\s*"/.test(state.sliceDoc(to, to + 400)) ? ',' : '';
  const inside = /(?:""|\{\}|\[\])$/.test(text) ? 1 : 0;
  view.dispatch({
    changes: { from, to, insert: text + comma },
    selection: { anchor: from + text.length - inside },
    annotations: pickedCompletion.of(completion),
    userEvent: 'input.complete',
    scrollIntoView: true,
  });
}

function explanations(known: () => KnownNames): Extension {
  return hoverTooltip(({ state }, position) => {
    const { node } = nodesAt(state, position).at(-1)!;
    if (node.name !== 'PropertyName' && node.name !== 'String') return null;
    const { description, defaultValue } = suggestionsAt(parseValue(state), placeAt(state, position), known());
    if (description === undefined) return null;
    return {
      pos: node.from,
      end: node.to,
      above: true,
      create: () => ({ dom: explanation(description, defaultValue) }),
    };
  });
}

function explanation(description: string, usual: string | undefined): HTMLElement {
  const box = Object.assign(document.createElement('div'), { className: styles.jsonExplanation });
  box.append(description);
  if (usual !== undefined) {
    const code = Object.assign(document.createElement('code'), { textContent: usual });
    box.append(Object.assign(document.createElement('small'), { textContent: 'Default ' }));
    box.lastElementChild!.append(code);
  }
  return box;
}
