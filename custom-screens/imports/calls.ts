import type { Definition, ResourceRecord } from '../../src/engine/definitions/definition';
import type { Mapping } from '../../src/engine/imports/headings';
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
  by: 'name' | 'synonym' | 'tool' | 'hand' | 'errors' | null;
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
}

/** What the form of an import holds. */
export interface ImportForm {
  /** The value of the field that is asked for besides the file. */
  asked: unknown;
  file: File;
  mapping: Mapping;
}

function bodyOf(definition: Definition, field: string | undefined, { asked, file, mapping }: ImportForm): FormData {
  const form = new FormData();
  if (field && asked !== undefined) form.append(field, String(asked));
  form.append('import_type', definition.name);
  form.append('mapping', JSON.stringify(mapping));
  form.append('import_file', file, file.name);
  return form;
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
