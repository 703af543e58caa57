import { CompletionContext } from '@codemirror/autocomplete';
import { json } from '@codemirror/lang-json';
import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { expect, it } from 'vitest';
import { completions } from '../../../src/app/studio/expressions/expressionEditor';
import type { ExpressionSuggestion } from '../../../src/engine/studio/expression-suggestions';

const suggestions: ExpressionSuggestion[] = [
  { kind: 'field', name: '$record.price', detail: 'Price: number' },
  { kind: 'variable', name: '$today', detail: 'date' },
  { kind: 'function', name: '$round', detail: '(number, [decimals]) → number' },
  { kind: 'function', name: '$if', detail: '{when, then, else} → value' },
];
const source = completions(() => suggestions);

/** What is offered at the `|` of a text, and the text after one of them is chosen, with the cursor as `|`. */
function at(text: string, chosen?: string) {
  const head = text.indexOf('|');
  const doc = text.replace('|', '');
  const view = new EditorView({
    state: EditorState.create({ doc, selection: { anchor: head }, extensions: [json()] }),
  });
  const result = source(new CompletionContext(view.state, head, true));
  if (!result || 'then' in result) return { offered: [], after: '' };
  const option = result.options.find(({ displayLabel }) => displayLabel === chosen);
  if (option && typeof option.apply === 'function') option.apply(view, option, result.from, head);
  const now = view.state.doc.toString();
  const { head: cursor } = view.state.selection.main;
  view.destroy();
  return {
    offered: result.options.map(({ displayLabel, detail }) => `${displayLabel} ${detail}`),
    after: `${now.slice(0, cursor)}|${now.slice(cursor)}`,
  };
}

it('fields, today and functions are offered with descriptions where a value can be', () => {
  expect(at('{ "$add": [|] }').offered).toEqual(suggestions.map(({ name, detail }) => `${name} ${detail}`));
  expect(at('{ "$add": [|] }', '$record.price').after).toBe('{ "$add": ["$record.price"|] }');
  expect(at('{ "$add": ["$rec|"] }', '$record.price').after).toBe('{ "$add": ["$record.price"|] }');
});

it('a function is written with the brackets of its arguments, and the cursor goes there', () => {
  expect(at('{ "$add": [1, |] }', '$round').after).toBe('{ "$add": [1, { "$round": [|] }] }');
  expect(at('{|}', '$round').after).toBe('{"$round": [|]}');
  expect(at('{|}', '$if').after).toBe('{"$if": { "condition": {|}, "then": null, "else": null }}');
});

it('an operator is replaced by another one, which keeps the arguments', () => {
  expect(at('{ "$ad|d": [1, 2] }').offered.some((one) => one.startsWith('$record'))).toBe(false);
  expect(at('{ "$ad|d": [1, 2] }', '$round').after).toBe('{ "$round"|: [1, 2] }');
});
