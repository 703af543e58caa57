import { fieldTypeOf } from '../field-types';
import type { Field, ImportDefinition } from './definition';
import type { Source } from './source';

/** What the resource can import; null if it has no import. */
export function normaliseImport(source: Source, fields: Readonly<Record<string, Field>>): ImportDefinition | null {
  if (!source.import) return null;
  const {
    order = 100,
    ask = null,
    match = [],
    creates = {},
    files = [],
    paths = [],
    splits = {},
    steps = [],
    key = [],
    numbers = [],
    ...written
  } = source.import;
  const names = written.fields ?? importableFields(source, fields);
  return {
    order,
    ask,
    columns: names
      .filter((name) => name !== ask)
      .map((field) => ({
        field,
        synonyms: written.synonyms?.[field] ?? [],
        values: invertMeanings(written.values?.[field] ?? {}),
      })),
    match,
    creates,
    files,
    paths,
    splits,
    steps,
    key,
    numbers,
    tools: (written.tools ?? []).map(({ values = {}, ...tool }) => ({
      columns: {},
      skip: {},
      ...tool,
      values: Object.fromEntries(Object.entries(values).map(([field, of]) => [field, invertMeanings(of)])),
    })),
  };
}

/** Every field that a form can fill. */
function importableFields(source: Source, fields: Readonly<Record<string, Field>>): string[] {
  return Object.values(fields)
    .filter((field) => isImportable(field) && field.name !== source.copy?.originalField)
    .map(({ name }) => name);
}

/** Whether a spreadsheet's cell can fill a field, or a column of rows, that is not excluded. */
export function isImportable(field: Field): boolean {
  if (field.system || field.secret || field.readOnly || field.virtual || field.computed !== undefined) return false;
  const { isDerived, isHashed, isImportable: can = !isDerived && !isHashed } = fieldTypeOf(field);
  return can;
}

/** The value used here, by each synonym. */
function invertMeanings(values: Readonly<Record<string, readonly string[]>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).flatMap(([meant, words]) => words.map((word) => [word, meant])));
}
