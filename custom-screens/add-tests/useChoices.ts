import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { useDataProvider, type RaRecord } from 'react-admin';
import { filterInputs, type FilterInput } from '../../src/engine/lists/filter-inputs';
import { apiFilterOf, parseListState, type ListState } from '../../src/engine/lists/list-state';
import type { Definition, ResourceRecord } from '../../src/engine/definitions/definition';
import { fetchApi } from '../../src/app/session/api';
import { useDefinitions } from '../../src/app/data/DefinitionsContext';
import type { ChangeList } from '../../src/app/list/useListState';
import type { Run } from '../test-runner/runnerApi';
import type { Choice } from './selection';

/** The most tests that a run can have. */
const maxTests = 10_000;
const caseFields = ['id', 'key', 'name', 'module', 'sub_module', 'priority'];

/** A test case, as far as it is chosen by it. */
export interface ChosenCase extends RaRecord {
  readonly id: number;
  readonly key: string | null;
  readonly name: string;
  readonly module: { readonly id: number; readonly name: string } | null;
  readonly sub_module: { readonly id: number; readonly name: string } | null;
  readonly priority: ResourceRecord | null;
}

/** The test cases of a run's project that match filters and a search. */
export interface TestCases {
  readonly definition: Definition;
  readonly state: ListState;
  readonly change: ChangeList;
  readonly inputs: readonly FilterInput[];
  /** Undefined until the first answer. */
  readonly cases: readonly ChosenCase[] | undefined;
  readonly isLoading: boolean;
  readonly error: Error | null;
  readonly retry: () => void;
}

export function useTestCases(run: Pick<Run, 'project_id'>): TestCases {
  const { registry, actor } = useDefinitions();
  const definition = registry.getOrThrow('test-cases');
  const dataProvider = useDataProvider();
  const [state, setState] = useState(() => parseListState([], definition));
  const change = useCallback<ChangeList>((make) => setState(make), []);
  const inputs = useMemo(
    () => filterInputs(definition, registry, actor).filter(({ name }) => name !== 'project_id'),
    [actor, definition, registry],
  );
  const { filters, q } = state;
  const params = useMemo(
    () => ({
      pagination: { page: 1, perPage: maxTests },
      sort: { field: 'id', order: 'ASC' as const },
      filter: { ...apiFilterOf({ filters, q }), project_id: run.project_id },
      meta: { fields: caseFields },
    }),
    [filters, q, run.project_id],
  );
  const { data, isFetching, isPlaceholderData, error, refetch } = useQuery({
    queryKey: ['test-cases', 'getList', params] as const,
    queryFn: ({ signal }) => dataProvider.getList<ChosenCase>('test-cases', { ...params, signal }),
    // Those of another project could not be tests of this run.
    placeholderData: (previousData, previousQuery) =>
      previousQuery?.queryKey[2].filter.project_id === run.project_id ? previousData : undefined,
    retry: false,
    meta: { quiet: true },
  });
  return {
    definition,
    state,
    change,
    inputs,
    cases: data?.data,
    isLoading: isFetching && (isPlaceholderData || data === undefined),
    error: data ? null : error,
    retry: () => void refetch(),
  };
}

/** The records that a field of a test in a run can refer to. */
function useFieldChoices(field: string) {
  return useQuery({
    queryKey: ['run-entries', 'choices', field],
    queryFn: async ({ signal }) =>
      (await fetchApi<{ data: readonly Choice[] }>(`/run-entries/choices/${field}?range=[0,199]`, { signal })).data,
    retry: false,
    meta: { quiet: true },
  });
}

/** The configurations of the company. */
export const useConfigurations = () => useFieldChoices('configuration_id');

/** The people of the company. */
export const usePeople = () => useFieldChoices('assigned_to');
