import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fieldTypeNames } from '../../src/engine/definitions/definition';

const names = [...fieldTypeNames].sort();

test('every field type has a file in the engine', () => {
  const shared = [
    'field-keys',
    'field-type',
    'file-kinds',
    'former-values',
    'index',
    'parse-json-value',
    'row-definition',
    'stored-files',
    'transitions',
  ];
  const files = readdirSync(new URL('../../src/engine/field-types', import.meta.url))
    .map((file) => file.replace(/\.ts$/, ''))
    .filter((file) => !shared.includes(file))
    .map((file) => file.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()));
  expect(files.sort()).toEqual(names);
});

test('every field type has a folder in the application', () => {
  const shared = ['choices', 'markdown', 'snippets'];
  const folders = readdirSync(new URL('../../src/app/fields', import.meta.url), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .filter((name) => !shared.includes(name));
  expect(folders.sort()).toEqual(names);
});
