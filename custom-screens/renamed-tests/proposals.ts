import type { ResourceRecord } from '../../src/engine/definitions/definition';
import { fetchApi, requestApi } from '../../src/app/session/api';
import { readText } from '../../src/app/session/apiError';

interface Named {
  readonly id: number;
  readonly name: string;
}

/** A test that vanished and one that appeared, as the screen shows them. */
export interface Proposal {
  readonly id: number;
  readonly earlier_id: number;
  readonly test_id: number | null;
  readonly earlier_name: string;
  readonly earlier_suite: string | null;
  readonly earlier_file: string | null;
  readonly name: string;
  readonly suite: string | null;
  readonly file: string | null;
  readonly similarity: number;
  readonly case_key: string | null;
  readonly project: Named | null;
  readonly earlier: (Named & { readonly test_case_id?: number | null; readonly last_run_at?: string | null }) | null;
}

/** The results of a test, the latest last. */
export interface TestResults extends ResourceRecord {
  readonly id: number;
  readonly runs: number;
  readonly recent: readonly ResourceRecord[];
}

/** The outcome of a proposal. */
export interface Decision {
  readonly id: number;
  readonly state: 'open' | 'merged' | 'kept_apart';
  readonly moved: number;
  readonly results: number;
}

/** How many proposals are shown; the others follow when these are decided. */
const pageSize = 100;

/** The open proposals of a project or of all, the most similar first, and how many there are. */
export async function fetchProposals(
  project: number | undefined,
  signal: AbortSignal,
): Promise<{ readonly proposals: readonly Proposal[]; readonly total: number }> {
  const path = `/match-proposals?state=open&sort=["similarity","DESC"]&range=[0,${pageSize - 1}]`;
  const response = await requestApi(project ? `${path}&project_id=${project}` : path, { signal });
  const { data } = JSON.parse(await readText(response)) as { data: Proposal[] };
  const total = Number(/\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1] ?? data.length);
  return { proposals: data, total };
}

/** The results of the tests of proposals, by test. */
export async function fetchResults(
  proposals: readonly Proposal[],
  signal: AbortSignal,
): Promise<ReadonlyMap<number, TestResults>> {
  const ids = proposals.flatMap(({ earlier_id, test_id }) => (test_id === null ? [earlier_id] : [earlier_id, test_id]));
  if (ids.length === 0) return new Map();
  const path = `/automated-tests?id=${ids.join()}&range=[0,${ids.length - 1}]&fields=name,recent,runs`;
  const { data } = await fetchApi<{ data: TestResults[] }>(path, { signal });
  return new Map(data.map((result) => [result.id, result]));
}

/** Decides a proposal, or undoes its decision. */
export async function sendDecision(id: number, action: 'merge' | 'keep-apart' | 'undo'): Promise<Decision> {
  return (await fetchApi<{ data: Decision }>(`/match-proposals/${id}/${action}`, { method: 'POST', json: {} })).data;
}

/** Whether a search fits the names and places of a proposal. */
export function isFound(proposal: Proposal, search: string): boolean {
  const text = search.trim().toLowerCase();
  const { earlier_name, earlier_file, earlier_suite, name, file, suite, case_key } = proposal;
  const parts = [earlier_name, earlier_file, earlier_suite, name, file, suite, case_key];
  return text === '' || parts.some((part) => part?.toLowerCase().includes(text));
}
