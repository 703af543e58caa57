import { expect, test } from 'vitest';
import { parse, type Source, sources } from './sources';

/**
 * The folders of `src/engine` from top to bottom. Each imports only from itself and from those further down, types
 * included. `definitions` has three parts: the types of a definition are at the bottom, the registry of definitions is
 * in the middle, and what reads, completes and checks definitions is at the top.
 */
const layers: readonly (readonly [name: string, purpose: string])[] = [
  ['automations', 'records and events as automations see them'],
  ['studio', 'changes of definitions'],
  ['pages', 'the page of a record, and pages of tiles'],
  ['comments', 'mentions and watchers'],
  ['definitions', 'definitions: read, completed with defaults, checked'],
  ['print', 'printed pages'],
  ['imports', 'the meaning of spreadsheets'],
  ['definitions/normalise-import.ts', 'the defaults of an import'],
  ['exports', 'cells of spreadsheets'],
  ['lists', 'the generic list'],
  ['forms', 'the generic form'],
  ['validation', 'the derived schema of a record, its interpreter, messages'],
  ['access', 'grants, row rules and field rules'],
  ['definitions/registry.ts', 'the active definitions'],
  ['definitions/response-names.ts', 'the names that a response has of a field'],
  ['definitions/index-definitions.ts', 'the definitions by what refers to them'],
  ['definitions/derived-types.ts', 'the types of derived fields'],
  ['definitions/path-fields.ts', 'fields by a path through relations'],
  ['history', 'changes in words'],
  ['expressions', 'the grammar of computed values'],
  ['definitions/row-definition.ts', 'the columns of a rows field as a definition'],
  ['references', 'names in definitions: where they are, what they refer to, renaming'],
  ['patterns', 'regular expressions without backtracking'],
  ['field-types', 'one module for each field type'],
  ['passwords', 'the strength of passwords'],
  ['conditions', 'the grammar of conditions'],
  ['definitions/source.ts', 'a definition as it is written'],
  ['language', 'the keys of the definition language'],
  ['formats', 'dates, numbers and texts as people write them'],
  ['definitions/accessors.ts', 'fields, ids and companies that must exist'],
  ['definitions/problems.ts', 'faults of definitions'],
  ['definitions/labels.ts', 'names as labels'],
  ['definitions/definition.ts', 'a definition as it is used'],
  ['definitions/automation.ts', 'the automations of a definition'],
  ['definitions/field.ts', 'a field of a definition'],
  ['definitions/level.ts', 'levels of roles'],
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
  ['src/engine/definitions/definition.ts', "import { normalise } from './normalise';"],
  ['src/engine/lists/columns.ts', "import { checkList } from '../definitions/check-list';"],
])('an upward import in the engine is a fault: %s with %s', (path, text) => {
  expect(upwardImports(parse(path, text))).toHaveLength(1);
});

test('an import from the same folder or from one further down is allowed in the engine', () => {
  const text = "import '../conditions/grammar'; import './messages'; import '../definitions/registry'; import 'ajv';";
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

/** The folder directly in `src/engine` that a path is in, or the path itself where the file has a layer of its own. */
function layerOf(path: string): string | undefined {
  const [, folder, file] = /^src\/engine\/([^/]+)\/(.+)/.exec(path) ?? [];
  return order.includes(`${folder}/${file}`) ? `${folder}/${file}` : folder;
}
