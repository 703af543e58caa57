import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDataProvider, type RaRecord } from 'react-admin';
import { useDebounced } from '../../src/app/fields/choices/useChoices';
import { fetchApi } from '../../src/app/session/api';
import type { ScreenRecords } from '../../src/app/actions/screenRecords';
import type { Choice } from '../add-tests/selection';
import { entryFields, fetchEntries, type Result } from '../test-runner/runnerApi';

const quiet = { retry: false, meta: { quiet: true } } as const;

/** The projects in which the user can start a run: the first of them, and the wanted one in any case. */
export const useProjects = (wantedProject: number, isEnabled: boolean) =>
  useQuery({
    queryKey: ['projects', 'of new runs', wantedProject],
    queryFn: async ({ signal }) => {
      const fetchProjects = async (query: string) =>
        (await fetchApi<{ data: readonly Choice[] }>(`/test-runs/choices/project_id?${query}`, { signal })).data;
      const projects = await fetchProjects('range=[0,199]');
      const isListed = wantedProject === 0 || projects.some(({ id }) => id === wantedProject);
      return isListed ? projects : [...(await fetchProjects(`id=${wantedProject}`)), ...projects];
    },
    placeholderData: keepPreviousData,
    enabled: isEnabled,
    ...quiet,
  });

export interface Milestone {
  readonly id: number;
  readonly name: string;
  readonly due_on: string | null;
}

/** The milestones of a project that are not done, the next one first. */
export const useMilestones = (project: number | undefined) =>
  useQuery({
    queryKey: ['milestones', 'of new runs', project],
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams({
        where: JSON.stringify({ project_id: project, state: { $ne: 'done' } }),
        fields: 'id,name,due_on',
        sort: JSON.stringify(['due_on', 'ASC']),
        range: '[0,99]',
      });
      return (await fetchApi<{ data: readonly Milestone[] }>(`/milestones?${query}`, { signal })).data;
    },
    enabled: project !== undefined,
    ...quiet,
  });

/** How a test case was found last, and the seconds that it takes. */
export interface TestTime {
  readonly id: number;
  readonly result: Result | null;
  readonly seconds: number | null;
  readonly is_changed: boolean;
}

export interface TestTimes {
  readonly mean_seconds: number | null;
  readonly cases: readonly TestTime[];
}

/** They are of a project's whole history, so they are not loaded again with each result. */
export const useTestTimes = (project: number | undefined) =>
  useQuery({
    queryKey: ['new-run-times', project],
    staleTime: 5 * 60_000,
    queryFn: async ({ signal }) =>
      (await fetchApi<{ data: TestTimes }>(`/projects/${project}/test-times`, { signal })).data,
    enabled: project !== undefined,
    ...quiet,
  });

/** A test case for which the screen was opened. */
export interface GivenCase {
  readonly id: number;
  readonly project_id: number;
}

const maxCases = 10_000;

/** The test cases for which the screen was opened; none where it was opened without any. */
export function useGivenCases(records: ScreenRecords | undefined) {
  const dataProvider = useDataProvider();
  const params = {
    pagination: { page: 1, perPage: maxCases },
    sort: { field: 'id', order: 'ASC' as const },
    filter: records?.filter ?? { id: records?.ids ?? [] },
    meta: { fields: ['id', 'project_id'] },
  };
  return useQuery({
    queryKey: ['test-cases', 'given to a new run', params],
    queryFn: async ({ signal }) =>
      (await dataProvider.getList<GivenCase & RaRecord>('test-cases', { ...params, signal })).data,
    enabled: records !== undefined,
    staleTime: Infinity,
    ...quiet,
  });
}

/** A run of the project whose tests can be taken over. */
export interface EarlierRun {
  readonly id: number;
  readonly key: string | null;
  readonly name: string;
  readonly project_id: number;
}

/** The runs of a project by people that match a text, the latest first. */
export const useEarlierRuns = (project: number | undefined, text: string) => {
  const q = useDebounced(text.trim(), 200);
  return useQuery({
    queryKey: ['test-runs', 'to be copied', project, q],
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams({
        project_id: String(project),
        source: 'people',
        fields: 'id,key,name,project_id',
        sort: '["id","DESC"]',
        range: '[0,199]',
        ...(q && { q }),
      });
      return (await fetchApi<{ data: readonly EarlierRun[] }>(`/test-runs?${query}`, { signal })).data;
    },
    placeholderData: keepPreviousData,
    enabled: project !== undefined,
    ...quiet,
  });
};

/** The contents of a run: ids, each once, in the order of its tests. */
export interface RunContents {
  /** The test cases that are still in the project. */
  readonly cases: readonly number[];
  /** How many of its test cases are not. */
  readonly goneCount: number;
  readonly configurations: readonly number[];
  readonly people: readonly number[];
}

export async function fetchRunContents(run: number, project: number): Promise<RunContents> {
  const { signal } = new AbortController();
  const query = new URLSearchParams({ project_id: String(project), fields: 'id', range: `[0,${maxCases - 1}]` });
  const [entries, listedCases] = await Promise.all([
    fetchEntries(run, entryFields, signal),
    fetchApi<{ data: readonly { readonly id: number }[] }>(`/test-cases?${query}`, { signal }),
  ]);
  const listedIds = new Set(listedCases.data.map(({ id }) => id));
  // A test whose case was deleted is known by its name alone.
  const tests = new Set(entries.map(({ test_case: testCase, name }) => testCase?.id ?? name));
  const cases = [...tests].filter((test) => typeof test === 'number' && listedIds.has(test)) as number[];
  const idsOf = (records: readonly ({ readonly id: number } | null)[]) => [
    ...new Set(records.flatMap((record) => (record ? [record.id] : []))),
  ];
  return {
    cases,
    goneCount: tests.size - cases.length,
    configurations: idsOf(entries.map(({ configuration }) => configuration)),
    people: idsOf(entries.map(({ assigned: assignee }) => assignee)),
  };
}
