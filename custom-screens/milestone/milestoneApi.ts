import { isGranted } from '../../src/engine/access/access-decision';
import type { Actor } from '../../src/engine/access/actor';
import { fetchApi } from '../../src/app/session/api';
import { resultOrder, type ResultCounts } from '../results/results';

export interface Milestone {
  readonly id: number;
  readonly name: string;
  readonly project_id: number;
  readonly state: 'planned' | 'active' | 'done';
  readonly starts_on: string | null;
  readonly due_on: string | null;
  readonly created_at: string;
}

/** The results of a run of a milestone. */
type RunResults = ResultCounts & { readonly id: number };

/** The most runs of a milestone that are added up. */
const maxRuns = 200;

/** The day on which the work for a milestone begins. */
export const startOf = ({ starts_on, created_at }: Milestone): string => starts_on ?? created_at.slice(0, 10);

/** Whether somebody may read results. */
export const mayReadResults = (actor: Actor): boolean =>
  ['test-runs', 'run-entries'].every((name) => isGranted(actor, name, 'list'));

/** How many runs a milestone has, and the tests of them by their results. */
export async function fetchCounts(
  milestone: number,
  signal: AbortSignal,
): Promise<{ readonly runs: number; readonly counts: ResultCounts }> {
  const path = `/test-runs?milestone_id=${milestone}&fields=${resultOrder.join()}&range=[0,${maxRuns - 1}]`;
  const { data: runs } = await fetchApi<{ data: readonly RunResults[] }>(path, { signal });
  const counts = Object.fromEntries(
    resultOrder.map((name) => [name, runs.reduce((sum, run) => sum + Number(run[name] ?? 0), 0)]),
  ) as ResultCounts;
  return { runs: runs.length, counts };
}
