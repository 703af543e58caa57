import { readFileSync } from 'node:fs';
import { zipSync } from 'fflate';
import type { ApiResponse } from '../../support/program';
import type { Account, Row, Work } from '../work';

/** A file of an upload: the name of one in `files/`, or a name and its content. */
export type ResultFile = string | readonly [name: string, content: string | Uint8Array];

export interface Outcome {
  run_id: number | null;
  dry_run: boolean;
  files: { name: string; format: string; tests: number; attempts: number }[];
  totals: Record<'tests' | 'attempts' | 'passed' | 'failed' | 'broken' | 'skipped' | 'flaky', number>;
  linked: number;
  unlinked: number;
  proposals: number;
  attachments: number;
  left_out: number;
  left_out_reasons: string[];
  repeated: boolean;
}
export type Answer = ApiResponse<{ data: Outcome; message: string; errors: Record<string, string> }>;

const bytesOf = (file: ResultFile): Uint8Array<ArrayBuffer> =>
  new Uint8Array(
    typeof file === 'string'
      ? readFileSync(new URL(`files/${file}`, import.meta.url))
      : typeof file[1] === 'string'
        ? Buffer.from(file[1])
        : file[1],
  );

/** Sends files as a form, as an uploader does. */
export async function upload(
  work: Work,
  files: readonly ResultFile[],
  values: Record<string, string> = {},
  by: Account = 'qa',
  headers: Record<string, string> = {},
  attachments: Record<string, Uint8Array> = {},
): Promise<Answer> {
  const form = new FormData();
  for (const [name, value] of Object.entries({ project: String(work.open), ...values })) form.append(name, value);
  for (const file of files) form.append('file', new Blob([bytesOf(file)]), typeof file === 'string' ? file : file[0]);
  for (const [path, content] of Object.entries(attachments))
    form.append(`attachment:${path}`, new Blob([new Uint8Array(content)]), path.split('/').at(-1));
  const message = new Response(form);
  const body = Buffer.from(await message.arrayBuffer());
  return work.as[by]('POST', '/results', body, { 'content-type': message.headers.get('content-type')!, ...headers });
}

/** JSON files as an archive. */
export const archiveOf = (files: Record<string, unknown>): Uint8Array =>
  zipSync(Object.fromEntries(Object.entries(files).map(([name, value]) => [name, Buffer.from(JSON.stringify(value))])));

/** The tests of a run in their order, each with its test and all its attempts in theirs. */
export async function storedTests(work: Work, run: number): Promise<{ entry: Row; test: Row; attempts: Row[] }[]> {
  const { kysely } = work.program.program.database;
  const rowsOf = async (table: string, column: string, ids: readonly number[]) =>
    (await kysely
      .withSchema('public')
      .selectFrom(table)
      .selectAll()
      .where(column, 'in', ids)
      .orderBy('id')
      .execute()) as Row[];
  const entries = (await rowsOf('run_entries', 'run_id', [run])).toSorted(
    (one, other) => one.position - other.position,
  );
  const tests = await rowsOf(
    'automated_tests',
    'id',
    entries.map(({ automated_test_id }) => automated_test_id as number),
  );
  const attempts = await rowsOf(
    'attempts',
    'entry_id',
    entries.map(({ id }) => id),
  );
  return entries.map((entry) => ({
    entry,
    test: tests.find(({ id }) => id === entry.automated_test_id)!,
    attempts: attempts.filter(({ entry_id }) => entry_id === entry.id),
  }));
}
