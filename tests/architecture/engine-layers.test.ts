import { expect, test } from 'vitest';
import { parse, type Source, sources } from './sources';

/** The folders of `src/engine` from top to bottom. Each imports only from itself and from those further down, types included. */
const layers: readonly (readonly [name: string, purpose: string])[] = [
  ['automations', 'records and events as automations see them'],
  ['studio', 'changes of definitions'],
  ['pages', 'the page of a record, and pages of tiles'],
  ['comments', 'mentions and watchers'],
  ['check', 'definitions read and checked'],
  ['print', 'printed pages'],
  ['imports', 'the meaning of spreadsheets'],
  ['normalise', 'definitions completed with defaults and the fields of the system'],
  ['exports', 'cells of spreadsheets'],
  ['lists', 'the generic list'],
  ['forms', 'the generic form'],
  ['validation', 'the derived schema of a record, its interpreter, messages'],
  ['access', 'grants, row rules and field rules'],
  ['registry', 'the active definitions, and what follows from several of them'],
  ['history', 'changes in words'],
  ['expressions', 'the grammar of computed values'],
  ['references', 'names in definitions: where they are, what they refer to, renaming'],
  ['patterns', 'regular expressions without backtracking'],
  ['field-types', 'one module for each field type'],
  ['passwords', 'the strength of passwords'],
  ['conditions', 'the grammar of conditions'],
  ['language', 'the keys of the definition language, and a definition as it is written'],
  ['formats', 'dates, numbers and texts as people write them'],
  ['definitions', 'the types of a definition as it is used, its labels and faults'],
  ['values', 'values looked up, compared, bounded and normalised'],
];
const order = layers.map(([name]) => name);

test('folders of the engine import only from folders further down', () => {
  expect(sources.flatMap(upwardImports)).toEqual([]);
});

test('every folder of the engine has its layer, and every layer has files', () => {
  expect([...new Set(sources.flatMap(({ path }) => layerOf(path) ?? []))].sort()).toEqual([...order].sort());
});

test.each([
  ['src/engine/conditions/variables.ts', "import type { Actor } from '../access/actor';"],
  ['src/engine/field-types/text.ts', "import { isEmpty } from '../validation/messages';"],
  ['src/engine/definitions/definition.ts', "import { normalise } from '../normalise/normalise';"],
  ['src/engine/lists/columns.ts', "import { checkList } from '../check/check-list';"],
])('an upward import in the engine is a fault: %s with %s', (path, text) => {
  expect(upwardImports(parse(path, text))).toHaveLength(1);
});

test('an import from the same folder or from one further down is allowed in the engine', () => {
  const text = "import '../conditions/grammar'; import './messages'; import '../registry/registry'; import 'ajv';";
  expect(upwardImports(parse('src/engine/validation/validate-values.ts', text))).toEqual([]);
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

/** The folder directly in `src/engine` that a path is in. */
function layerOf(path: string): string | undefined {
  return /^src\/engine\/([^/]+)\//.exec(path)?.[1];
}
