import type { Actor } from '../../engine/access/actor';
import { isGranted } from '../../engine/access/decide';
import type { Field } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/definitions/registry';
import { askedField } from '../../engine/imports/asked-field';
import { exportTypes } from '../exports/export-types';
import { described } from '../http/described';
import { idempotencyHeader } from '../idempotency/header';
import { data, file, flag, id, instant, listOf, object, orNull, text, whole } from '../http/schemas';

const tag = 'Imports';
const column = object({ heading: text, field: orNull(text), label: orNull(text), by: orNull(text) });
const sheet = object({ name: text, rows: whole });
const value = object({
  text,
  count: whole,
  means: orNull(text),
  id: { type: ['integer', 'string', 'null'] },
  by: orNull(text),
  form: { type: 'object' as const },
});
const preview = object({
  columns: listOf(column),
  rows: listOf(object({ row: whole, last: whole, cells: listOf(text) })),
  errors: listOf(object({ row: whole, column: orNull(text), message: text })),
  total: whole,
  ready: whole,
  failed: whole,
  tool: orNull(text),
  targets: listOf(object({ value: text, label: text })),
  memory: { ...object({ at: instant, values: { type: 'object' as const } }), type: ['object', 'null'] },
  sheet: orNull(text),
  sheets: listOf(sheet),
  is_misnamed: flag,
  values: listOf(object({ column: text, field: text, values: listOf(value) })),
  breaks: listOf(text),
  dropped: listOf(object({ column: text, cells: whole, reason: text })),
  skipped: whole,
  previous: { ...object({ at: instant, state: text, imported: whole }), type: ['object', 'null'] },
});

/** The documentation of the calls of imports; users who can create records of `history` can import. */
export function importCalls(history: string) {
  const types = (actor: Actor, registry: Registry) =>
    [...registry.definitions.values()].filter((one) => one.import && isGranted(actor, one.name, 'create'));
  return {
    importFile: described({
      id: 'import',
      tag,
      summary: 'Import a file',
      shownTo: (actor) => isGranted(actor, history, 'create'),
      types: (actor, registry) =>
        types(actor, registry).map((definition) => ({
          type: definition.name,
          summary: `Import ${definition.labels.many}`,
          body: bodyOf(askedField(actor, definition)),
        })),
      query: {
        preview: '1: returns a preview and saves nothing.',
        wait: '1: responds when the import is done, even to clients that accept jobs.',
        again: '1: imports a file that was already imported again; without it the response is CONFLICT_REPEATED.',
      },
      headers: {
        ...idempotencyHeader,
        Accept: 'With application/json; jobs=1 the response is 202 with the id of a job, at once.',
      },
      bodyType: 'multipart/form-data',
      answer: {
        anyOf: [object({ success: flag, message: text, imported: whole }), data(object({ job: id })), preview],
        description: 'If rows failed, a spreadsheet with these rows and their errors instead.',
      },
    }),
    downloadSample: described({
      id: 'download-sample',
      tag,
      summary: 'Download a sample file',
      types: (actor, registry) =>
        types(actor, registry).map((definition) => {
          const asked = askedField(actor, definition);
          return {
            type: definition.name,
            summary: `Download a sample file for ${definition.labels.many}`,
            ...(asked && { query: { [asked.name]: `${asked.label}. Its records are listed in the sheet.` } }),
          };
        }),
      answer: file,
      answerType: exportTypes.xlsx,
    }),
  };
}

function bodyOf(asked: Field | undefined) {
  const mapping = { ...text, description: 'JSON: heading → field, or null to leave the column out.' };
  const values = {
    ...text,
    description: 'JSON: heading → cell value → its meaning: a text, the id of a record, or null for nothing.',
  };
  const memory = { ...text, description: '0: ignores your choices for an earlier file with the same headings.' };
  const sheet = { ...text, description: 'The sheet of a workbook; by default the one with the most known headings.' };
  const must = [...(asked?.required ? [asked.name] : []), 'import_file'];
  return object({ import_file: file, mapping, values, memory, sheet, ...(asked && { [asked.name]: id }) }, must);
}
