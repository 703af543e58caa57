import { fieldTypeOf } from '../field-types';
import type { Field, ImportDefinition } from '../definitions/definition';
import type { Source } from '../language/source';

/** The import of a resource with every default filled in; null if it has none. */
export function normaliseImport(source: Source, fields: Readonly<Record<string, Field>>): ImportDefinition | null {
  if (!source.import) return null;
  const {
    order = 100,
    ask = null,
    match = [],
    creates: createdFields = {},
    files = [],
    paths = [],
    splits = {},
    steps = [],
    key = [],
    numbers = [],
    ...importSource
  } = source.import;
  const names = importSource.fields ?? importableFields(source, fields);
  return {
    order,
    ask,
    columns: names
      .filter((name) => name !== ask)
      .map((field) => ({
        field,
        synonyms: importSource.synonyms?.[field] ?? [],
        values: invertMeanings(importSource.values?.[field] ?? {}),
      })),
    match,
    creates: createdFields,
    files,
    paths,
    splits,
    steps,
    key,
    numbers,
    tools: (importSource.tools ?? []).map(({ values = {}, ...tool }) => ({
      columns: {},
      skip: {},
      ...tool,
      values: Object.fromEntries(Object.entries(values).map(([field, meanings]) => [field, invertMeanings(meanings)])),
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
  const { isDerived, isHashed, isImportable: isImportableType = !isDerived && !isHashed } = fieldTypeOf(field);
  return isImportableType;
}

/** The value used here, by each synonym. */
function invertMeanings(values: Readonly<Record<string, readonly string[]>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).flatMap(([meaning, words]) => words.map((word) => [word, meaning])));
}
