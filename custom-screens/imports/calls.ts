import type { Definition, ResourceRecord } from '../../src/engine/definitions/definition';
import type { Mapping } from '../../src/engine/imports/headings';
import type { Meanings } from '../../src/engine/imports/meanings';
import { fileNameOf, saveFile } from '../../src/app/list/export/download';
import { fetchApi, requestApi } from '../../src/app/session/api';
import { fetchPage } from '../lists/usePolledPage';

/** Begins every key of what is read of them, so that the server's events have it read anew. */
export const room = 'imports';

/** A file that was imported, or is being imported. */
export interface ImportLine {
  id: number;
  file_name: string;
  file_path: string | null;
  total: number | null;
  imported: number | null;
  failed: number | null;
  state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled' | 'interrupted';
  failed_path: string | null;
  /** The title of the record that was chosen for all of them, such as their project. */
  asked: string | null;
  job_id: number | null;
  user: { id: number; name: string } | null;
  created_at: string;
}

/** What came of an import that went through. */
export interface ImportResult {
  imported: number;
  failed: number;
  failed_file: { name: string; url: string } | null;
}

/** A column of the file and what it fills. */
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
}

export interface CellError {
  row: number;
  column: string;
  message: string;
}

/** A sheet of a workbook, and its rows below the headings. */
export interface SheetName {
  name: string;
  rows: number;
}

/** What the cells of a column say that fills a relation, a choice or yes and no, and what that means. */
export interface ColumnValues {
  column: string;
  field: string;
  values: SeenValue[];
}

export interface SeenValue {
  text: string;
  /** In so many records. */
  count: number;
  means: string | null;
  id: number | string | null;
  by: 'exact' | 'word' | 'hand' | 'memory' | null;
  form: ResourceRecord;
}

/** What an import would do. */
export interface PreviewAnswer {
  columns: PreviewColumn[];
  rows: PreviewRow[];
  errors: CellError[];
  total: number;
  ready: number;
  failed: number;
  tool: string | null;
  targets: { value: string; label: string }[];
  memory: { at: string; values: Meanings } | null;
  sheet: string | null;
  sheets: SheetName[];
  /** The file is a text, though its name is that of a workbook. */
  is_misnamed: boolean;
  values: ColumnValues[];
  breaks: string[];
  dropped: { column: string; cells: number; reason: string }[];
  skipped: number;
}

/** What the form of an import holds. */
export interface ImportForm {
  /** The value of the field that is asked for besides the file. */
  asked: unknown;
  file: File;
  mapping: Mapping;
  meanings: Meanings;
  /** Whether what was said of an earlier file with the same headings counts. */
  memory: boolean;
  /** Null: the one whose headings are known best. */
  sheet: string | null;
}

function bodyOf(definition: Definition, field: string | undefined, form: ImportForm): FormData {
  const { asked, file, mapping, meanings, memory, sheet } = form;
  const body = new FormData();
  if (field && asked !== undefined) body.append(field, String(asked));
  body.append('import_type', definition.name);
  body.append('mapping', JSON.stringify(mapping));
  body.append('values', JSON.stringify(meanings));
  if (!memory) body.append('memory', '0');
  if (sheet !== null) body.append('sheet', sheet);
  body.append('import_file', file, file.name);
  return body;
}

/** Has the server read the file and say what it would do; nothing is stored. */
export async function previewImport(
  definition: Definition,
  field: string | undefined,
  form: ImportForm,
  signal: AbortSignal,
): Promise<PreviewAnswer> {
  const init = { method: 'POST', body: bodyOf(definition, field, form), signal, readsOnly: true };
  return (await (await requestApi(`/${definition.name}/import?preview=1`, init)).json()) as PreviewAnswer;
}

/** Has the file imported, and answers the id of the job. `again`: though it was imported before. */
export async function sendImport(
  definition: Definition,
  field: string | undefined,
  form: ImportForm,
  again: boolean,
): Promise<number> {
  const init = {
    method: 'POST',
    body: bodyOf(definition, field, form),
    headers: { Accept: 'application/json; jobs=1' },
  };
  const path = `/${definition.name}/import${again ? '?again=1' : ''}`;
  return (await fetchApi<{ data: { job: number } }>(path, init)).data.job;
}

/** Saves the rows that could not be imported. */
export async function saveFailed({ name, url }: { name: string; url: string }): Promise<void> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error('The rows with errors could not be downloaded.');
  saveFile(await answer.blob(), name);
}

/** Saves the file with headings, an example and the values that may be chosen. */
export async function downloadSample(definition: Definition, asked: ResourceRecord): Promise<void> {
  const query = new URLSearchParams(Object.entries(asked).map(([name, value]) => [name, String(value)]));
  const answer = await requestApi(`/${room}/${definition.name}/download-sample?${query}`, {
    headers: { Accept: '*/*' },
  });
  saveFile(await answer.blob(), fileNameOf(answer) ?? `sample_${definition.name}_import.xlsx`);
}

/** A page of the files of a type, the newest first, and how many there are. */
export function fetchHistory(type: string, page: number, signal?: AbortSignal) {
  return fetchPage<ImportLine>(room, page, { type }, signal);
}
