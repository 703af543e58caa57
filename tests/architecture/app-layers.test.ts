import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse, type Source, sources } from './sources';

/**
 * The folders (and files) of `src/app` from top to bottom. Each imports only from itself and from those further down,
 * types and style sheets included, so no two of them depend on each other.
 */
const layers: readonly (readonly [name: string, purpose: string])[] = [
  ['start.tsx', 'starts the application with the products that are compiled in'],
  ['Root.tsx', 'the screens before the sign-in, or the application behind it'],
  ['shell', 'routes, menu, header, palette, home page'],
  ['studio', 'the editor of definitions'],
  ['screens', 'screens of the system that are not a list or form, by subject'],
  ['proof', 'the question for a password before what is sensitive'],
  ['public-form', 'forms for visitors'],
  ['shared', 'records that were shared by a link'],
  ['record', 'one record: its page, its form as page or dialog, its tabs, requests and history'],
  ['list', 'the generic list in all its views'],
  ['actions', 'what can be done with records'],
  ['form', 'the form itself: inputs, values, saving'],
  ['history', 'changes of a record'],
  ['comments', 'comments on records'],
  ['timer', 'the timer of the person'],
  ['presence', 'who else is at a record'],
  ['viewing', 'viewing as somebody else'],
  ['auth', 'sign-in, registration, passwords, second factors'],
  ['product.ts', 'the browser half of a product'],
  ['fields', 'a field type in each place, and the inputs that several share'],
  ['passwords', 'new passwords and their strength'],
  ['charts', 'charts'],
  ['commands', 'commands, keys, the palette, undo'],
  ['navigation', 'how records and forms are opened, and the addresses of lists'],
  ['preferences', 'what the browser remembers for a person'],
  ['data', "react-admin's providers, definitions, queries, live changes"],
  ['states', 'loading, empty, failed, missing'],
  ['layout', 'parts of pages'],
  ['dialogs', 'dialogs'],
  ['chips', 'chips and initials'],
  ['theme', 'colours, sizes, components of MUI'],
  ['icons', 'icons'],
  ['session', 'the session and requests to the server'],
  ['brand', 'the name and the first frame'],
];
const order = layers.map(([name]) => name);

test('folders of the application import only from folders further down', () => {
  expect(sources.flatMap(upwardImports)).toEqual([]);
});

test('every folder of the application has its layer, and every layer exists', () => {
  expect(readdirSync('src/app').sort()).toEqual([...order].sort());
});

test.each([
  ['src/app/list/Toolbar.tsx', "import { RecordPage } from '../record/RecordPage';"],
  ['src/app/data/dataProvider.ts', "import type { Shown } from '../list/views';"],
  ['src/app/fields/rows/RowGrid.tsx', "import * as formStyles from '../../form/form.module.css';"],
])('an upward import in the application is a fault: %s with %s', (path, text) => {
  expect(upwardImports(parse(path, text))).toHaveLength(1);
});

test('an import from the same folder or from one further down is allowed in the application', () => {
  const text = "import '../form/RecordForm'; import './Toolbar'; import '../theme/theme.css'; import 'react';";
  expect(upwardImports(parse('src/app/list/Grid.tsx', text))).toEqual([]);
});

function upwardImports({ path, imports }: Source): string[] {
  const layer = layerOf(path);
  if (layer === undefined) return [];
  return imports.flatMap((importedPath) => {
    const importedLayer = layerOf(importedPath);
    return importedLayer !== undefined && order.indexOf(importedLayer) < order.indexOf(layer)
      ? [`${path} → ${importedPath}`]
      : [];
  });
}

/** The folder directly in `src/app` that a path is in, or the file itself there, with or without its ending. */
function layerOf(path: string): string | undefined {
  const name = /^src\/app\/([^/]+)/.exec(path)?.[1];
  return order.find((layer) => layer === name || layer.replace(/\.tsx?$/, '') === name);
}
