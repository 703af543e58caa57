import type { FastifyRequest } from 'fastify';
import { Type, type Static, type TObject, type TSchema } from 'typebox';
import type { Actor } from '../../engine/access/actor';
import { isGranted } from '../../engine/access/access-decision';
import type { Field } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/registry/registry';
import { importContextField } from '../../engine/imports/context-field';
import { exportTypes } from '../exports/export-types';
import { idempotencyHeader } from '../idempotency/header';
import { cellFormats } from '../../engine/imports/cell-formats';
import { maxMeaningLength } from '../../engine/imports/value-meanings';
import { dataOf, dateTime, defineCall, file, id, jsonText, nullable, recordOf } from '../routing/define-call';

const tag = 'Imports';
const column = Type.Object({
  heading: Type.String(),
  field: nullable(Type.String()),
  label: nullable(Type.String()),
  by: nullable(Type.String()),
});
const sheet = Type.Object({ name: Type.String(), rows: Type.Integer() });
const value = Type.Object({
  text: Type.String(),
  count: Type.Integer(),
  means: nullable(Type.String()),
  id: nullable(Type.Union([Type.Integer(), Type.String()])),
  by: nullable(Type.String()),
  form: Type.Optional(Type.Object({})),
});
const preview = Type.Object({
  columns: Type.Array(column),
  rows: Type.Array(
    Type.Object({
      row: Type.Integer(),
      last: Type.Integer(),
      cells: Type.Array(Type.String()),
      kind: Type.Enum(['new', 'changed', 'unchanged', 'refused']),
      changes: Type.Array(
        Type.Object({
          field: Type.String(),
          label: Type.String(),
          old: nullable(Type.String()),
          new: nullable(Type.String()),
        }),
      ),
      files: Type.Array(Type.Object({ name: Type.String(), size: Type.Integer() })),
    }),
  ),
  errors: Type.Array(Type.Object({ row: Type.Integer(), column: nullable(Type.String()), message: Type.String() })),
  total: Type.Integer(),
  ready: Type.Integer(),
  failed: Type.Integer(),
  created: Type.Integer(),
  changed: Type.Integer(),
  unchanged: Type.Integer(),
  row_counts: Type.Array(Type.Object({ field: Type.String(), label: Type.String(), count: Type.Integer() })),
  matched_by: nullable(Type.String()),
  seen_at: dateTime,
  tool: nullable(Type.String()),
  targets: Type.Array(Type.Object({ value: Type.String(), label: Type.String() })),
  memory: nullable(Type.Object({ at: dateTime, values: Type.Object({}) })),
  sheet: nullable(Type.String()),
  sheets: Type.Array(sheet),
  is_misnamed: Type.Boolean(),
  values: Type.Array(Type.Object({ column: Type.String(), field: Type.String(), values: Type.Array(value) })),
  breaks: Type.Array(Type.String()),
  heading_row: Type.Integer(),
  merged: Type.Array(Type.String()),
  formats: Type.Array(
    Type.Object({
      column: Type.String(),
      kind: Type.Enum(['date', 'number']),
      format: Type.Enum([...cellFormats]),
      by: Type.Enum(['file', 'hand', 'person']),
      samples: Type.Array(Type.Object({ text: Type.String(), means: nullable(Type.String()) })),
    }),
  ),
  dropped: Type.Array(Type.Object({ column: Type.String(), cells: Type.Integer(), reason: Type.String() })),
  numbered: Type.Integer(),
  skipped: Type.Integer(),
  files: Type.Object({ count: Type.Integer(), bytes: Type.Integer() }),
  left_out: Type.Array(Type.Object({ row: Type.Integer(), name: Type.String(), reason: Type.String() })),
  left_out_count: Type.Integer(),
  previous: nullable(Type.Object({ at: dateTime, state: Type.String(), imported: Type.Integer() })),
});

/** The mapping of headings in the form of an import: to fields, or to null. */
export const mappingSchema = recordOf(nullable(Type.String()));

/** The meanings of values in the form of an import. */
export const meaningsSchema = recordOf(
  recordOf(Type.Union([Type.String({ maxLength: maxMeaningLength }), id, Type.Null()]), {
    propertyNames: { maxLength: maxMeaningLength },
  }),
);

/** How the days and numbers of columns are written, in the form of an import. */
export const formatsSchema = recordOf(Type.Enum([...cellFormats]));

const params = Type.Object({ type: Type.String() });
const flag = (description: string) => Type.Optional(Type.String({ description }));

/** The calls of imports; users who can create records of `history` can import. */
export function importCalls(history: string) {
  const types = (actor: Actor, registry: Registry) =>
    [...registry.definitions.values()].filter(
      (definition) => definition.import && isGranted(actor, definition.name, 'create'),
    );
  return {
    importFile: defineCall({
      id: 'import',
      tag,
      summary: 'Import a file',
      grant: { resource: history, action: 'create' },
      once: true,
      params,
      variants: (actor, registry) =>
        types(actor, registry).map((definition) => ({
          type: definition.name,
          summary: `Import ${definition.labels.many}`,
          body: bodyOf(importContextField(actor, definition)),
        })),
      querystring: Type.Object({
        preview: flag('1: returns a preview and saves nothing.'),
        wait: flag('1: responds when the import is done, even to callers that accept jobs.'),
        again: flag('1: imports a file that was already imported again; without it the response is CONFLICT_REPEATED.'),
      }),
      headers: {
        ...idempotencyHeader,
        Accept: 'With application/json; jobs=1 the response is 202 with the id of a job, at once.',
      },
      bodyType: 'multipart/form-data',
      answer: Type.Union(
        [
          Type.Object({
            success: Type.Boolean(),
            message: Type.String(),
            imported: Type.Integer(),
            changed: Type.Optional(Type.Integer()),
            unchanged: Type.Optional(Type.Integer()),
            files: Type.Optional(Type.Integer()),
            files_left_out: Type.Optional(Type.Integer()),
          }),
          dataOf(Type.Object({ job: id })),
          preview,
        ],
        { description: 'If rows failed, a spreadsheet with these rows and their errors instead.' },
      ),
    }),
    downloadSample: defineCall({
      id: 'download-sample',
      tag,
      summary: 'Download a sample file',
      scope: [':type.create'],
      params,
      querystring: Type.Object({}, { additionalProperties: true }),
      variants: (actor, registry) =>
        types(actor, registry).map((definition) => {
          const contextField = importContextField(actor, definition);
          return {
            type: definition.name,
            summary: `Download a sample file for ${definition.labels.many}`,
            ...(contextField && { querystring: Type.Object({ [contextField.name]: listedIn(contextField) }) }),
          };
        }),
      answer: file,
      answerType: exportTypes.xlsx,
    }),
  };
}

function bodyOf(contextField: Field | undefined): TObject {
  const text = (description: string) => Type.Optional(Type.String({ description }));
  const json = (schema: TSchema, description: string) => Type.Optional(jsonText(schema, description));
  return Type.Object({
    ...(contextField && { [contextField.name]: contextField.required ? id : Type.Optional(id) }),
    import_file: file,
    mapping: json(mappingSchema, 'JSON: heading → field, or null to leave the column out.'),
    values: json(
      meaningsSchema,
      'JSON: heading → cell value → its meaning: a text, the id of a record, or null for nothing.',
    ),
    memory: text('0: ignores your choices for an earlier file with the same headings.'),
    empty: text('keep (default): empty cells leave the value of a record that exists; clear: they remove it.'),
    formats: json(
      formatsSchema,
      'JSON: heading → dmy or mdy (which number of a day comes first), point or comma (before decimals). By default what the cells of the column show, otherwise as you write days and numbers.',
    ),
    unknown: text(
      'refuse (default): a row with a value that is no record and no choice is refused; empty: such values are left out.',
    ),
    split: text('1: numbered text (1. Open it, 2. Close it) becomes rows of the record.'),
    seen_at: text('The seen_at of a preview: records that were changed since are refused instead of overwritten.'),
    sheet: text('The sheet of a workbook; by default the one with the most known headings.'),
  });
}

function listedIn({ label }: Field) {
  return Type.Optional(Type.String({ description: `${label}. Its records are listed in the sheet.` }));
}

export type ImportFileRequest = FastifyRequest<{
  Params: Static<typeof params>;
  Querystring: Static<ReturnType<typeof importCalls>['importFile']['schema']['querystring']>;
}>;
