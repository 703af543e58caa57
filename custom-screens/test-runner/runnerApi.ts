import type { ResourceRecord } from '../../src/engine/definitions/definition';
import { filesIn, type FileValue } from '../../src/engine/field-types/stored-files';
import { fetchApi, requestApi } from '../../src/app/session/api';
import { readText } from '../../src/app/session/apiError';
import { filesOfAttempt, type AttemptFiles, type StoredFile } from '../evidence/storedFiles';
import type { RunState } from '../results/runStates';

/** The results that a person can give; machines have others besides. */
export const personResults = ['passed', 'failed', 'blocked', 'skipped'] as const;
export type PersonResult = (typeof personResults)[number];
export type Result = PersonResult | 'broken' | 'flaky' | 'not_run';

interface Named {
  readonly id: number;
  readonly name: string;
}

/** A run, as far as its runner needs it. */
export interface Run {
  readonly id: number;
  readonly key: string;
  readonly name: string;
  readonly state: RunState;
  readonly project_id: number;
}

/** A test of a run, as the list of tests shows it. */
export interface Entry {
  readonly id: number;
  readonly name: string;
  readonly result: Result;
  readonly module: string | null;
  readonly test_case: (Named & { readonly key: string | null; readonly project_module?: number | null }) | null;
  readonly configuration: Named | null;
  readonly assigned: Named | null;
  readonly updated_at: string;
}

export interface Step {
  readonly action: string;
  readonly data?: string;
  readonly expected?: string;
}

/** A test case as the run keeps it. */
export interface PinnedCase {
  readonly description?: string;
  readonly pre_conditions?: string;
  readonly test_data?: string;
  readonly steps_to_reproduce?: string;
  readonly expected_result?: string;
  readonly steps?: readonly Step[];
}

/** A test of a run with everything that its tester reads. */
export interface EntryDetails extends Entry, ResourceRecord {
  readonly pinned: PinnedCase | null;
  readonly comment: string | null;
  readonly elapsed_seconds: number | null;
  readonly run_at: string | null;
  readonly run_by_user: Named | null;
  /** Undefined where it was not asked for: in runs of people. */
  readonly automated_test?: Named | null;
  readonly defect: Named | null;
  readonly defect_url: string | null;
  readonly defect_status: string | null;
}

/** An earlier result of a test case. */
export interface EarlierResult {
  readonly id: number;
  readonly result: Result;
  readonly run_at: string | null;
  readonly elapsed_seconds: number | null;
  readonly run: (Named & { readonly key: string }) | null;
  readonly configuration: Named | null;
  readonly run_by_user: Named | null;
}

/** How a test case changed since it came into the run. */
export interface VersionDifference {
  readonly pinned: Readonly<Record<string, unknown>>;
  readonly current: Readonly<Record<string, unknown>> | null;
  readonly changed: readonly string[];
}

/** The stored form of a result. */
export interface FoundResult {
  readonly result: PersonResult;
  readonly comment: string | null;
  readonly elapsed_seconds: number | null;
  readonly steps: readonly FoundStep[];
}

/** The stored form of a step. */
export interface FoundStep {
  readonly index: number;
  readonly result: PersonResult;
  readonly comment: string | null;
  /** Which of the result's files were seen here, counted from 1. */
  readonly evidence?: readonly number[];
}

/** A result with its files, as a form. */
export function resultForm({ result, comment, elapsed_seconds, steps }: FoundResult, files: readonly File[]): FormData {
  const form = new FormData();
  form.append('result', result);
  if (comment !== null) form.append('comment', comment);
  if (elapsed_seconds !== null) form.append('elapsed_seconds', String(elapsed_seconds));
  form.append('steps', JSON.stringify(steps));
  for (const file of files) form.append('evidence', file, file.name);
  return form;
}

/** The files that came with the latest attempts of tests, by the id of the test. */
export async function fetchEvidence(
  entries: readonly number[],
  signal: AbortSignal,
): Promise<ReadonlyMap<number, readonly StoredFile[]>> {
  const path = `/attempts?entry_id=${entries.join()}&sort=["id","DESC"]&range=[0,${maxAttempts - 1}]&fields=id,entry,evidence,steps`;
  const attempts = await dataOf<(AttemptFiles & { entry: Named })[]>(path, signal);
  const filesByEntry = new Map<number, readonly StoredFile[]>();
  for (const attempt of attempts)
    if (!filesByEntry.has(attempt.entry.id)) filesByEntry.set(attempt.entry.id, filesOfAttempt(attempt));
  return filesByEntry;
}

/** A stored attempt, as far as a defect says it. */
export interface StoredAttempt extends AttemptFiles {
  readonly comment: string | null;
  readonly message: string | null;
  readonly details: string | null;
  readonly steps?:
    | readonly {
        readonly index: number;
        readonly result: PersonResult;
        readonly comment: string | null;
        readonly evidence?: string | null;
      }[]
    | null;
}

/** The latest attempt of a test that did not pass, else the latest; undefined without any. */
export async function fetchLatestAttempt(entry: number): Promise<StoredAttempt | undefined> {
  const path = `/attempts?entry_id=${entry}&sort=["id","DESC"]&range=[0,19]&fields=result,comment,message,details,evidence,steps`;
  const attempts = await dataOf<(StoredAttempt & { result: Result })[]>(path);
  return attempts.find(({ result }) => result !== 'passed') ?? attempts[0];
}

export const resultLabels: Readonly<Record<Result, string>> = {
  passed: 'Passed',
  failed: 'Failed',
  broken: 'Broken',
  blocked: 'Blocked',
  skipped: 'Skipped',
  flaky: 'Flaky',
  not_run: 'Not run',
};

/** The label and the key of each button that sets a result. */
export const resultActions: Readonly<Record<PersonResult, { label: string; key: string }>> = {
  passed: { label: 'Pass', key: 'P' },
  failed: { label: 'Fail', key: 'F' },
  blocked: { label: 'Block', key: 'B' },
  skipped: { label: 'Skip', key: 'S' },
};

const dataOf = async <T>(path: string, signal?: AbortSignal): Promise<T> =>
  (await fetchApi<{ data: T }>(path, { signal })).data;

export const fetchRun = (id: number, signal: AbortSignal) => dataOf<Run>(`/test-runs/${id}`, signal);
export const fetchEntry = (id: number, signal: AbortSignal) => dataOf<EntryDetails>(`/run-entries/${id}`, signal);
export const fetchVersion = (id: number, signal: AbortSignal) =>
  dataOf<VersionDifference>(`/run-entries/${id}/version`, signal);

/** The pictures among the files of a test case, which its steps can show. */
export async function fetchPictures(testCase: number, signal: AbortSignal): Promise<readonly FileValue[]> {
  const records = await dataOf<ResourceRecord[]>(`/test-cases?id=${testCase}&fields=id,attachments,screenshot`, signal);
  return records.flatMap(({ attachments, screenshot }) => [...filesIn(attachments), ...filesIn(screenshot)]);
}

export const entryFields = 'id,name,result,module,test_case,configuration,assigned,updated_at';
/** The most that one list answers. */
const pageSize = 10_000;

/** All tests of a run in their order, with these fields. */
export async function fetchEntries<Fetched extends Entry>(
  run: number,
  fields: string,
  signal: AbortSignal,
): Promise<readonly Fetched[]> {
  const entries: Fetched[] = [];
  for (;;) {
    const range = JSON.stringify([entries.length, entries.length + pageSize - 1]);
    const path = `/run-entries?run_id=${run}&sort=["position","ASC"]&range=${range}&fields=${fields}`;
    const response = await requestApi(path, { signal });
    const { data } = JSON.parse(await readText(response)) as { data: Fetched[] };
    entries.push(...data);
    const total = Number(/\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1] ?? 0);
    if (data.length === 0 || entries.length >= total) return entries;
  }
}

const detailFields =
  'id,name,result,module,test_case,configuration,assigned,run,pinned,pinned_at,comment,elapsed_seconds,run_at,run_by_user,defect,defect_url,defect_status,site_id,created_by,updated_at';

/** Tests with everything that their tester reads, in one request. */
export const fetchEntryDetails = (ids: readonly number[], signal?: AbortSignal) =>
  dataOf<EntryDetails[]>(`/run-entries?id=${ids.join()}&range=[0,${ids.length - 1}]&fields=${detailFields}`, signal);

/** How many of those that changed last are loaded after a change. */
export const latestCount = 50;

/** The tests of a run that changed last. */
export const fetchLatestEntries = <Fetched extends Entry>(run: number, fields: string, signal: AbortSignal) =>
  dataOf<Fetched[]>(
    `/run-entries?run_id=${run}&sort=["updated_at","DESC"]&range=[0,${latestCount - 1}]&fields=${fields}`,
    signal,
  );

const earlierFields = 'id,result,run_at,elapsed_seconds,run,configuration,run_by_user';

/** How many attempts are looked at for the files of a few tests: each has few. */
const maxAttempts = 200;

/** How many earlier results of a test case are loaded. */
export const earlierCount = 12;

/** The latest results of a test case in all runs, newest first, and how many there are. */
export async function fetchEarlierResults(
  testCase: number,
  signal: AbortSignal,
): Promise<{ results: readonly EarlierResult[]; total: number }> {
  const path = `/run-entries?test_case_id=${testCase}&sort=["run_at","DESC"]&range=[0,${earlierCount - 1}]&fields=${earlierFields}`;
  const response = await requestApi(path, { signal });
  const { data } = JSON.parse(await readText(response)) as { data: EarlierResult[] };
  const total = Number(/\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1] ?? data.length);
  return { results: data.filter(({ run_at }) => run_at !== null), total };
}
