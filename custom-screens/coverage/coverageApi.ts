import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { fetchApi } from '../../src/app/session/api';
import type { Coverage, CoverageColumn, CoveringTest } from '../../src/product/answers/coverage';

/** By what results are told apart, beside the requirements. */
export type CoverageBy = 'run' | 'configuration' | 'state';

export interface CoverageChoice {
  readonly project: number | undefined;
  readonly grouping: CoverageBy;
  readonly day: string;
  readonly q: string;
  /** Only requirements whose test cases are in runs of this milestone. */
  readonly milestone?: number;
}

const quiet = { retry: false, meta: { quiet: true } } as const;

/** The resources whose records coverage counts. */
const countedResources = 'requirements,run-entries,attempts,test-cases,test-runs,automated-tests';

/** The coverage of a project's requirements; results of colleagues change it at once. */
export const useCoverage = ({ project, grouping, day, q, milestone }: CoverageChoice) =>
  useQuery({
    queryKey: [countedResources, 'coverage', project, grouping, day, q, milestone],
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams({
        project_id: String(project),
        by: grouping,
        day,
        ...(q.trim() && { q: q.trim() }),
        ...(milestone !== undefined && { milestone_id: String(milestone) }),
      });
      return (await fetchApi<{ data: Coverage }>(`/requirement-coverage?${query}`, { signal })).data;
    },
    enabled: project !== undefined,
    placeholderData: keepPreviousData,
    ...quiet,
  });

/** The test cases behind one cell. */
export const useCell = (requirement: number, column: CoverageColumn | undefined, { grouping, day }: CoverageChoice) =>
  useQuery({
    queryKey: [countedResources, 'coverage cell', requirement, grouping, column?.id, day],
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams({ day });
      if (column && grouping !== 'state')
        query.set(grouping === 'run' ? 'run_id' : 'configuration_id', String(column.id));
      return (
        await fetchApi<{ data: readonly CoveringTest[] }>(`/requirement-coverage/${requirement}?${query}`, { signal })
      ).data;
    },
    ...quiet,
  });

interface Project {
  readonly id: number;
  readonly title: string;
}

/** The projects: the first of them, and the wanted one in any case; and the one with the newest requirement. */
export const useProjects = (wantedProject: number | undefined) =>
  useQuery({
    queryKey: ['projects,requirements', 'coverage projects', wantedProject],
    queryFn: async ({ signal }) => {
      const fetchProjects = async (query: string) =>
        (await fetchApi<{ data: readonly Project[] }>(`/requirements/choices/project_id?${query}`, { signal })).data;
      const [choices, newest] = await Promise.all([
        fetchProjects('range=[0,199]'),
        fetchApi<{ data: readonly { project_id: number }[] }>(
          '/requirements?sort=["id","DESC"]&range=[0,0]&fields=id,project_id',
          { signal },
        ),
      ]);
      const isListed = wantedProject === undefined || choices.some(({ id }) => id === wantedProject);
      const projects = isListed ? choices : [...(await fetchProjects(`id=${wantedProject}`)), ...choices];
      return { projects, preferred: newest.data[0]?.project_id };
    },
    ...quiet,
  });
