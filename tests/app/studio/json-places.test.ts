import { json } from '@codemirror/lang-json';
import { EditorState } from '@codemirror/state';
import { expect, test } from 'vitest';
import { findPlace, placeAt, placeOfCursor, parseValue } from '../../../src/app/studio/json/jsonPlaces';
import { completionSpotAt } from '../../../src/app/studio/json/completionSpot';
import { toEditorError } from '../../../src/app/studio/json/editorError';
import type { Source } from '../../../src/engine/language/source';

/** A text with the cursor at |. */
function at(marked: string): { state: EditorState; cursor: number } {
  const cursor = marked.indexOf('|');
  const doc = marked.replace('|', '');
  return { state: EditorState.create({ doc, selection: { anchor: cursor }, extensions: json() }), cursor };
}

const text =
  '{\n  "name": "a",\n  "fields": {\n    "x/y": { "type": "url" },\n    "z": {}\n  },\n  "list": ["a", "b"]\n}';

test.each([
  ['"url', '/fields/x~1y/type'],
  ['"b', '/list/1'],
  ['"na', '/name'],
])('the place of %s is %s', (words, place) => {
  const { state } = at(text);
  expect(placeAt(state, text.indexOf(words) + words.length)).toBe(place);
});

test('a line is about its place before it begins and behind its end', () => {
  const { state } = at(text.replace('"url" },', '"url" },|'));
  expect(placeOfCursor(state)).toBe('/fields/x~1y');
});

test('a place of JSON is found, or the nearest one around it', () => {
  const { state } = at(text);
  expect(
    state.sliceDoc(findPlace(state, '/fields/x~1y/type')!.value.from, findPlace(state, '/fields/x~1y/type')!.value.to),
  ).toBe('"url"');
  expect(findPlace(state, '/fields/z/label')!.pointer).toBe('/fields/z');
  expect(findPlace(state, '/list/1')!.key).toBeUndefined();
});

test('a broken text is read as far as it can be', () => {
  const { state } = at('{ "name": "a", "fields": { "x": { "type": "url", "" } }, oh');
  expect(parseValue(state)).toMatchObject({ name: 'a', fields: { x: { type: 'url' } } });
});

test.each([
  ['{ "fields": { "x": { "type": "url", "ma|" } } }', { kind: 'key', pointer: '/fields/x', name: 'ma' }],
  ['{ "fields": { "x": { "type": "u|" } } }', { kind: 'value', pointer: '/fields/x/type' }],
  ['{ "fields": { "x": { "type": | } } }', { kind: 'value', pointer: '/fields/x/type' }],
  ['{ "fields": { "x": { | } } }', { kind: 'key', pointer: '/fields/x' }],
  ['{ "list": { "columns": ["a", |] } }', { kind: 'value', pointer: '/list/columns/-' }],
])('the text at %s is found', (marked, spot) => {
  const { state, cursor } = at(marked);
  expect(completionSpotAt(state, cursor)).toMatchObject(spot);
});

test('errors are shown under their lines, with the probable correction', () => {
  const source = { fields: { x: { type: 'url' }, y: { type: 'email' } } } as unknown as Source;
  const message = 'Unknown property "maxLenght". Did you mean "maxLength"?';
  expect(toEditorError({ path: '/fields/x/maxLenght', message }, source)).toEqual({
    location: '/fields/x/maxLenght',
    subject: 'maxLenght',
    message: ' is not a property of a url field.',
    fix: { wrongText: 'maxLenght', replacement: 'maxLength' },
  });
  expect(toEditorError({ path: '/fields/y/a', message: 'Unknown property "a".' }, source).message).toContain(
    'an email field',
  );
  expect(
    toEditorError({ path: '/list/columns/0', message: 'Unknown field "nam". Did you mean "name"?' }, source),
  ).toMatchObject({ message: 'Unknown field "nam".', fix: { wrongText: 'nam', replacement: 'name' } });
});
