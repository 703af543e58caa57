import type { Definition, ResourceRecord } from '../../../engine/definitions/definition';
import type { CellFormat, FormatKind } from '../../../engine/imports/cell-formats';
import type { HeadingMapping } from '../../../engine/imports/headings';
import type { ValueMeanings } from '../../../engine/imports/value-meanings';
import { fileNameOf, saveFile } from '../../actions/download';
import { ApiError, fetchApi, requestApi } from '../../session/api';
import { fetchPage } from '../lists/usePolledPage';
import { importsKey } from '../../data/importAccess';

/** A file that was imported, or is being imported. */
export interface ImportEntry {
  id: number;
  file_name: string;
  file_path: string | null;
  total: number | null;
  imported: number | null;
  failed: number | null;
  state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled' | 'interrupted';
  failed_path: string | null;
  /** The title of the record that was chosen for all rows, such as their project. */
  asked: string | null;
  job_id: number | null;
  user: { id: number; name: string } | null;
  created_at: string;
}

/** The result of an import that finished. */
export interface ImportResult {
  imported: number;
  failed: number;
  /** Of those imported, the records that existed, if the file could find some. */
  changed?: number;
  unchanged?: number;
  failed_file: { name: string; url: string } | null;
}

/** A column of the file and the field that it fills. */
export interface PreviewColumn {
  heading: string;
  field: string | null;
  label: string | null;
  by: 'name' | 'synonym' | 'tool' | 'hand' | 'memory' | 'errors' | null;
}

export interface PreviewRow {
  row: number;
  last: number;
  cells: string[];
  kind: 'new' | 'changed' | 'unchanged' | 'refused';
  /** The changes of the row to the record that it found. */
  changes: { field: string; label: string; old: string | null; new: string | null }[];
  /** The files that come with it. */
  files: { name: string; size: number }[];
}

export interface CellError {
  row: number;
  column: string;
  message: string;
}

/** A sheet of a workbook, and the number of its rows below the headings. */
export interface SheetSummary {
  name: string;
  rows: number;
}

/** The distinct values of a column that fills a relation, a select or a boolean, and what each means. */
export interface ColumnValues {
  column: string;
  field: string;
  values: DistinctValue[];
}

export interface DistinctValue {
  text: string;
  /** In how many rows it occurs. */
  count: number;
  means: string | null;
  id: number | string | null;
  by: 'exact' | 'word' | 'hand' | 'memory' | 'new' | null;
  form: ResourceRecord;
}

/** How the days or numbers of a column are read. */
export interface ColumnFormat {
  column: string;
  kind: FormatKind;
  format: CellFormat;
  by: 'file' | 'hand' | 'person';
  /** Cells that would be read otherwise in another format, and how they are read. */
  samples: { text: string; means: string | null }[];
}

/** The preview of an import. */
export interface PreviewResponse {
  columns: PreviewColumn[];
  rows: PreviewRow[];
  errors: CellError[];
  total: number;
  ready: number;
  failed: number;
  created: number;
  changed: number;
  unchanged: number;
  /** How many rows the records have, for each field that holds rows. */
  row_counts: { field: string; label: string; count: number }[];
  /** By what rows find records that exist; null: all make new ones. */
  matched_by: string | null;
  /** Sent back with the import: records that were changed since are refused. */
  seen_at: string;
  tool: string | null;
  targets: { value: string; label: string }[];
  memory: { at: string; values: ValueMeanings } | null;
  sheet: string | null;
  sheets: SheetSummary[];
  /** The file contains text, although its name is that of a workbook. */
  is_misnamed: boolean;
  values: ColumnValues[];
  breaks: string[];
  /** The row with the headings, and the columns whose merged cells filled the rows that they cover. */
  heading_row: number;
  merged: string[];
  /** Columns whose days or numbers could be read otherwise. */
  formats: ColumnFormat[];
  /** Rows with numbered text that can be split. */
  numbered: number;
  dropped: { column: string; cells: number; reason: string }[];
  skipped: number;
  /** The files that records get, and their bytes. */
  files: { count: number; bytes: number };
  /** Files in the document that are not imported: the first of them, and how many there are. */
  left_out: { row: number; name: string; reason: string }[];
  left_out_count: number;
}

/** The values of the import form. */
export interface ImportForm {
  /** The value of the field that is chosen beside the file. */
  contextValue: unknown;
  file: File;
  mapping: HeadingMapping;
  meanings: ValueMeanings;
  /** Whether to reuse the mapping of an earlier file with the same headings. */
  memory: boolean;
  /** Null: the sheet with the best matching headings. */
  sheet: string | null;
  /** The effect of an empty cell on an existing record. */
  empty: 'keep' | 'clear';
  /** How columns are read whose days or numbers could be read otherwise. */
  formats: Readonly<Record<string, CellFormat>>;
  /** The effect of an unknown value on its row. */
  unknown: 'refuse' | 'empty';
  /** Whether numbered text becomes rows. */
  split: boolean;
  /** The `seen_at` of the preview. */
  seenAt?: string;
}

function formBody(definition: Definition, field: string | undefined, form: ImportForm): FormData {
  const { contextValue, file, mapping, meanings, memory, sheet, empty, formats, unknown, split, seenAt } = form;
  const body = new FormData();
  if (field && contextValue !== undefined) body.append(field, String(contextValue));
  body.append('import_type', definition.name);
  body.append('mapping', JSON.stringify(mapping));
  body.append('values', JSON.stringify(meanings));
  if (!memory) body.append('memory', '0');
  if (sheet !== null) body.append('sheet', sheet);
  if (empty === 'clear') body.append('empty', empty);
  if (Object.keys(formats).length > 0) body.append('formats', JSON.stringify(formats));
  if (unknown === 'empty') body.append('unknown', unknown);
  if (split) body.append('split', '1');
  if (seenAt !== undefined) body.append('seen_at', seenAt);
  body.append('import_file', file, file.name);
  return body;
}

/** Sends the file for a preview; nothing is stored. Throws ApiError. */
export async function previewImport(
  definition: Definition,
  field: string | undefined,
  form: ImportForm,
  signal: AbortSignal,
): Promise<PreviewResponse> {
  const init = { method: 'POST', body: formBody(definition, field, form), signal, readsOnly: true };
  const response = await requestApi(`/${definition.name}/import?preview=1`, init);
  return assertSuccess((await response.json()) as PreviewResponse & Refusable);
}

/** A response that may say that the call was refused, although its status is 200. */
interface Refusable {
  success?: boolean;
  message?: string;
}

/** Throws ApiError with the message of a refusal that has the status 200. */
function assertSuccess<Response extends Refusable>(response: Response): Response {
  if (response.success !== false) return response;
  throw new ApiError(200, response.message ?? 'An error occurred during import.');
}

/** Starts the import and returns the id of its job. `again`: import it even if it was imported before. Throws ApiError. */
export async function startImport(
  definition: Definition,
  field: string | undefined,
  form: ImportForm,
  isRepeat: boolean,
): Promise<number> {
  const init = {
    method: 'POST',
    body: formBody(definition, field, form),
    headers: { Accept: 'application/json; jobs=1' },
  };
  const path = `/${definition.name}/import${isRepeat ? '?again=1' : ''}`;
  const { data } = assertSuccess(await fetchApi<{ data?: { job: number } } & Refusable>(path, init));
  if (!data) throw new Error('The response names no job.');
  return data.job;
}

/** Downloads the rows that could not be imported. */
export async function downloadFailedRows({ name, url }: { name: string; url: string }): Promise<void> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error('The rows with errors could not be downloaded.');
  saveFile(await answer.blob(), name);
}

/** Downloads a sample file with the headings, an example row and the allowed values. */
export async function downloadSample(definition: Definition, values: ResourceRecord): Promise<void> {
  const query = new URLSearchParams(Object.entries(values).map(([name, value]) => [name, String(value)]));
  const answer = await requestApi(`/${importsKey}/${definition.name}/download-sample?${query}`, {
    headers: { Accept: '*/*' },
  });
  saveFile(await answer.blob(), fileNameOf(answer) ?? `sample_${definition.name}_import.xlsx`);
}

/** A page of a resource's imports, newest first, and their total number. */
export function fetchHistory(type: string, page: number, signal?: AbortSignal) {
  return fetchPage<ImportEntry>(importsKey, page, { type }, signal);
}
