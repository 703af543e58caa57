import { utils, write, type BookType } from 'xlsx';
import type { ApiResponse, DemoProgram } from '../../support/program';

/** A sheet's rows, headings first. */
export type Rows = readonly (readonly unknown[])[];

/** Rows as a workbook of SheetJS. */
export function book(rows: Rows, type: BookType = 'xlsx'): Buffer {
  const made = utils.book_new();
  utils.book_append_sheet(made, utils.aoa_to_sheet(rows.map((row) => [...row])), 'Rows');
  return Buffer.from(write(made, { type: 'array', bookType: type }) as ArrayBuffer);
}

/** Rows as text with a delimiter. */
export function csv(rows: Rows, delimiter = ','): string {
  const cell = (value: unknown) => `"${String(value ?? '').replaceAll('"', '""')}"`;
  return rows.map((row) => row.map(cell).join(delimiter)).join('\r\n');
}

/** What an import answers: JSON, or the bytes of a file. */
export interface Imported extends ApiResponse<Preview> {
  readonly bytes: Buffer;
}

export interface Preview {
  success?: boolean;
  message?: string;
  imported?: number;
  columns: { heading: string; field: string | null; by: string | null }[];
  rows: { row: number; last: number; cells: string[]; kind: string; files: { name: string; size: number }[] }[];
  errors: { row: number; column: string; message: string }[];
  total: number;
  ready: number;
  failed: number;
  tool: string | null;
  memory: { at: string } | null;
  sheet: string | null;
  sheets: { name: string; rows: number }[];
  values: {
    column: string;
    field: string;
    values: { text: string; count: number; means: string | null; by: string | null; form: object }[];
  }[];
  breaks: string[];
  heading_row: number;
  merged: string[];
  formats: { column: string; kind: string; format: string; by: string; samples: object[] }[];
  dropped: { column: string; cells: number; reason: string }[];
  skipped: number;
  numbered: number;
  row_counts: { field: string; label: string; count: number }[];
  files: { count: number; bytes: number };
  left_out: { row: number; name: string; reason: string }[];
  left_out_count: number;
  is_misnamed: boolean;
}

/** Sends a file as the form of imports does. */
export async function send(
  program: Pick<DemoProgram, 'app'>,
  token: string,
  path: string,
  file: Buffer | string | null,
  fields: Record<string, string> = {},
  name = 'rows.xlsx',
  headers: Record<string, string> = {},
): Promise<Imported> {
  const boundary = 'xxxxboundaryxxxx';
  const parts: Buffer[] = [];
  for (const [field, value] of Object.entries(fields)) {
    parts.push(Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`));
  }
  if (file !== null) {
    parts.push(
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="import_file"; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n`,
      ),
      Buffer.from(file),
      Buffer.from('\r\n'),
    );
  }
  parts.push(Buffer.from(`--${boundary}--\r\n`));
  const answer = await program.app.inject({
    method: 'POST',
    url: `/api${path}`,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      ...headers,
    },
    payload: Buffer.concat(parts),
  });
  const isJson = String(answer.headers['content-type']).includes('json');
  return {
    status: answer.statusCode,
    body: isJson ? answer.json() : (answer.body as never),
    headers: answer.headers,
    bytes: answer.rawPayload,
  };
}
