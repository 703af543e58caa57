import { fetchApi } from '../../src/app/session/api';
import type { LoadingPart } from '../../src/product/answers/loading-parts';
import type { RunFigures } from '../../src/product/answers/run-figures';
import type { Entry, Run } from '../test-runner/runnerApi';

interface Named {
  readonly id: number;
  readonly name: string;
}

/** A run with what its overview says about it. */
export interface OverviewRun extends Run {
  readonly project: Named | null;
  readonly milestone: (Named & { readonly due_on?: string | null }) | null;
  readonly source: 'people' | 'machines';
  readonly branch: string | null;
  readonly commit: string | null;
  readonly build_url: string | null;
  readonly due_on: string | null;
  readonly created_at: string;
  readonly report_link?: string | null;
}

/** The figures of a run, counted by the server, and the run before it. */
export interface Overview extends Omit<RunFigures, 'modules' | 'timed' | 'first_at' | 'last_at'> {
  readonly earlier: { readonly id: number; readonly key: string | null; readonly name: string } | null;
  readonly loading: readonly LoadingPart[];
}

/** A test of a run in the table of its overview. */
export interface OverviewEntry extends Entry {
  readonly comment: string | null;
  readonly run_at: string | null;
  readonly run_by_user: Named | null;
  readonly defect: (Named & { readonly status_id?: number | null }) | null;
  readonly defect_status: string | null;
}

export const overviewEntryFields =
  'id,name,result,module,test_case,configuration,assigned,updated_at,comment,run_at,run_by_user,defect,defect_status';

/** How many tests the kept filters of a run match now that it does not have. */
export const fetchMatching = async (run: number, signal: AbortSignal) =>
  (await fetchApi<{ data: { filters: number; tests: number } }>(`/test-runs/${run}/matching`, { signal })).data;

/** Adds them; answers how many were added. */
export const addMatching = async (run: number): Promise<number> =>
  (await fetchApi<{ data: { added: number } }>(`/test-runs/${run}/matching`, { method: 'POST' })).data.added;
