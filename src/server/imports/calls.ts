import type { Actor } from '../../engine/access/actor';
import { isGranted } from '../../engine/access/access-decision';
import type { Field } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/definitions/registry';
import { importContextField } from '../../engine/imports/context-field';
import { exportTypes } from '../exports/export-types';
import { describeCall } from '../routing/call-description';
import { idempotencyHeader } from '../idempotency/header';
import {
  dataSchema,
  fileSchema,
  booleanSchema,
  idSchema,
  dateTimeSchema,
  arraySchema,
  objectSchema,
  nullableSchema,
  stringSchema,
  integerSchema,
} from '../routing/schemas';

const tag = 'Imports';
const column = objectSchema({
  heading: stringSchema,
  field: nullableSchema(stringSchema),
  label: nullableSchema(stringSchema),
  by: nullableSchema(stringSchema),
});
const sheet = objectSchema({ name: stringSchema, rows: integerSchema });
const value = objectSchema({
  text: stringSchema,
  count: integerSchema,
  means: nullableSchema(stringSchema),
  id: { type: ['integer', 'string', 'null'] },
  by: nullableSchema(stringSchema),
  form: { type: 'object' as const },
});
const preview = objectSchema({
  columns: arraySchema(column),
  rows: arraySchema(objectSchema({ row: integerSchema, last: integerSchema, cells: arraySchema(stringSchema) })),
  errors: arraySchema(
    objectSchema({ row: integerSchema, column: nullableSchema(stringSchema), message: stringSchema }),
  ),
  total: integerSchema,
  ready: integerSchema,
  failed: integerSchema,
  tool: nullableSchema(stringSchema),
  targets: arraySchema(objectSchema({ value: stringSchema, label: stringSchema })),
  memory: { ...objectSchema({ at: dateTimeSchema, values: { type: 'object' as const } }), type: ['object', 'null'] },
  sheet: nullableSchema(stringSchema),
  sheets: arraySchema(sheet),
  is_misnamed: booleanSchema,
  values: arraySchema(objectSchema({ column: stringSchema, field: stringSchema, values: arraySchema(value) })),
  breaks: arraySchema(stringSchema),
  dropped: arraySchema(objectSchema({ column: stringSchema, cells: integerSchema, reason: stringSchema })),
  skipped: integerSchema,
  previous: {
    ...objectSchema({ at: dateTimeSchema, state: stringSchema, imported: integerSchema }),
    type: ['object', 'null'],
  },
});

/** The documentation of the calls of imports; users who can create records of `history` can import. */
export function importCalls(history: string) {
  const types = (actor: Actor, registry: Registry) =>
    [...registry.definitions.values()].filter((one) => one.import && isGranted(actor, one.name, 'create'));
  return {
    importFile: describeCall({
      id: 'import',
      tag,
      summary: 'Import a file',
      shownTo: (actor) => isGranted(actor, history, 'create'),
      variants: (actor, registry) =>
        types(actor, registry).map((definition) => ({
          type: definition.name,
          summary: `Import ${definition.labels.many}`,
          body: bodyOf(importContextField(actor, definition)),
        })),
      query: {
        preview: '1: returns a preview and saves nothing.',
        wait: '1: responds when the import is done, even to callers that accept jobs.',
        again: '1: imports a file that was already imported again; without it the response is CONFLICT_REPEATED.',
      },
      headers: {
        ...idempotencyHeader,
        Accept: 'With application/json; jobs=1 the response is 202 with the id of a job, at once.',
      },
      bodyType: 'multipart/form-data',
      answer: {
        anyOf: [
          objectSchema({ success: booleanSchema, message: stringSchema, imported: integerSchema }),
          dataSchema(objectSchema({ job: idSchema })),
          preview,
        ],
        description: 'If rows failed, a spreadsheet with these rows and their errors instead.',
      },
    }),
    downloadSample: describeCall({
      id: 'download-sample',
      tag,
      summary: 'Download a sample file',
      variants: (actor, registry) =>
        types(actor, registry).map((definition) => {
          const asked = importContextField(actor, definition);
          return {
            type: definition.name,
            summary: `Download a sample file for ${definition.labels.many}`,
            ...(asked && { query: { [asked.name]: `${asked.label}. Its records are listed in the sheet.` } }),
          };
        }),
      answer: fileSchema,
      answerType: exportTypes.xlsx,
    }),
  };
}

function bodyOf(asked: Field | undefined) {
  const mapping = { ...stringSchema, description: 'JSON: heading → field, or null to leave the column out.' };
  const values = {
    ...stringSchema,
    description: 'JSON: heading → cell value → its meaning: a text, the id of a record, or null for nothing.',
  };
  const memory = {
    ...stringSchema,
    description: '0: ignores your choices for an earlier file with the same headings.',
  };
  const sheet = {
    ...stringSchema,
    description: 'The sheet of a workbook; by default the one with the most known headings.',
  };
  const must = [...(asked?.required ? [asked.name] : []), 'import_file'];
  return objectSchema(
    { import_file: fileSchema, mapping, values, memory, sheet, ...(asked && { [asked.name]: idSchema }) },
    must,
  );
}
