import type { ResourceRecord } from '../../src/engine/definitions/definition';
import type { CiResult, CiResults } from '../../src/product/answers/ci-results';
import { fetchApi } from '../../src/app/session/api';
import type { AttemptFiles } from '../evidence/storedFiles';
import type { RunState } from '../results/runStates';

/** The run of a build. */
export interface Build {
  readonly id: number;
  readonly key: string;
  readonly name: string;
  readonly state: RunState;
  readonly source: string;
  readonly project_id: number;
  readonly branch: string | null;
  readonly commit: string | null;
  readonly build_url: string | null;
  readonly created_at: string;
}

/** One execution of a test. */
export interface Attempt extends AttemptFiles {
  readonly id: number;
  readonly entry_id: number;
  readonly result: string;
  readonly elapsed_seconds: number | null;
  readonly message: string | null;
  readonly details: string | null;
  readonly output: string | null;
}

/** The executions of a test in the build, once for each configuration, with all its attempts. */
export interface ExecutedCase {
  readonly id: number;
  readonly result: string;
  readonly configuration: string;
  readonly attempts: readonly Attempt[];
}

export interface SimilarCase {
  readonly id: number;
  readonly key: string | null;
  readonly name: string;
  readonly similarity: number;
}

/** The automated test of a result. */
export interface AutomatedTest extends ResourceRecord {
  readonly id: number;
  readonly recent: readonly ResourceRecord[];
  readonly quarantined_until: string | null;
  readonly quarantine_reason: string | null;
}

const dataOf = async <T>(path: string, signal?: AbortSignal): Promise<T> =>
  (await fetchApi<{ data: T }>(path, { signal })).data;

export const fetchBuild = (id: number, signal: AbortSignal) => dataOf<Build>(`/test-runs/${id}`, signal);
export const fetchCiResults = (id: number, signal: AbortSignal) =>
  dataOf<CiResults>(`/test-runs/${id}/ci-results`, signal);
export const fetchTest = (id: number, signal: AbortSignal) => dataOf<AutomatedTest>(`/automated-tests/${id}`, signal);

/** The latest run of a build, of a project or of any; undefined if there is none. */
export async function fetchLatestBuild(
  project: number | undefined,
  signal: AbortSignal,
): Promise<{ id: number } | undefined> {
  const path = '/test-runs?source=machines&sort=["id","DESC"]&range=[0,0]&fields=key';
  return (await dataOf<{ id: number }[]>(project ? `${path}&project_id=${project}` : path, signal))[0];
}

const attemptFields = 'id,entry,result,elapsed_seconds,message,details,output,evidence,steps';

/** The test in the build on every configuration, with its attempts in their order. */
export async function fetchExecutedCases(
  run: number,
  result: CiResult,
  signal: AbortSignal,
): Promise<readonly ExecutedCase[]> {
  const entries = result.test
    ? await dataOf<(Omit<ExecutedCase, 'configuration' | 'attempts'> & { configuration: { name: string } | null })[]>(
        `/run-entries?run_id=${run}&automated_test_id=${result.test.id}&range=[0,49]&fields=result,configuration`,
        signal,
      )
    : [{ id: result.id, result: result.result, configuration: null }];
  const ids = entries.map(({ id }) => id);
  type Answered = Omit<Attempt, 'entry_id'> & { entry: { id: number } };
  const attempts = await dataOf<Answered[]>(
    `/attempts?entry_id=${ids.join()}&sort=["id","ASC"]&range=[0,499]&fields=${attemptFields}`,
    signal,
  );
  return entries.map(({ id, result, configuration }) => ({
    id,
    result,
    configuration: configuration?.name ?? 'Attempts',
    attempts: attempts.filter(({ entry }) => entry.id === id).map((attempt) => ({ ...attempt, entry_id: id })),
  }));
}

/** Test cases that a test may be, or those that a text finds. */
export const fetchSimilarCases = (test: number, text: string, signal: AbortSignal) =>
  dataOf<SimilarCase[]>(
    `/automated-tests/${test}/similar-cases${text.trim() === '' ? '' : `?q=${encodeURIComponent(text.trim())}`}`,
    signal,
  );

/** Changes an automated test: its test case, its quarantine. */
export const changeTest = (id: number, values: ResourceRecord) =>
  fetchApi(`/automated-tests/${id}`, { method: 'PUT', json: values });

/** Makes test cases of tests that have none. */
export async function makeTestCases(ids: readonly number[]): Promise<{ created: readonly { test_case_id: number }[] }> {
  const answer = await fetchApi<{ data: { created: { test_case_id: number }[] } }>('/automated-tests/test-cases', {
    method: 'POST',
    json: { tests: ids },
  });
  return answer.data;
}
