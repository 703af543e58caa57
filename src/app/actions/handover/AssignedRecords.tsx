import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import type { Definition, Field } from '../../../engine/definitions/definition';
import { assignmentsInWords, type KnownAssignments } from '../../../engine/lists/assignments';
import { useDefinitions } from '../../data/DefinitionsContext';
import type { ChoiceSource } from '../../fields/choices/choice';
import { loadListedChoices } from '../../fields/choices/loadChoices';
import { FieldInput } from '../../fields/inputs';
import { fetchApi } from '../../session/api';
import { useApi } from '../../session/apiClient';
import { findSuccessorQueries, loadSuccessors } from './loadSuccessors';

interface AssignedRecordsProps {
  definition: Definition;
  /** The records that are to be deleted. */
  ids: readonly number[];
  /** The record that takes over. */
  successor: number | undefined;
  onSuccessor: (id: number | undefined) => void;
}

/** Says beside the question of a deletion what is assigned to the records, and offers to hand it over. */
export function AssignedRecords({ definition, ids, successor, onSuccessor }: AssignedRecordsProps) {
  const { registry } = useDefinitions();
  const ask = useApi();
  const queryClient = useQueryClient();
  const id = useId();
  const { name, labels } = definition;
  const { data } = useQuery({
    queryKey: [name, 'assignments', ids],
    queryFn: ({ signal }) =>
      fetchApi<{ data: KnownAssignments }>(`/${name}/assignments?id=${ids.join()}`, { signal }, ask),
    gcTime: 0,
  });
  const assignments = data?.data;
  const words = assignments && assignmentsInWords(assignments, { registry, definition, count: ids.length });
  if (!words) return null;
  const resources = assignments.resources.map(({ resource }) => resource);
  const successorQueries = () =>
    queryClient.fetchQuery({
      queryKey: [name, 'successor queries', ids, resources],
      queryFn: ({ signal }) => findSuccessorQueries({ definition, registry, resources, ids }, signal, ask),
      staleTime: 60_000,
    });
  const choices: ChoiceSource = {
    key: [name, 'successors', ids],
    target: definition,
    load: async (text, signal) => loadSuccessors({ definition, ids }, await successorQueries(), text, signal, ask),
    find: (chosenIds, signal) => loadListedChoices({ resource: name, filter: { id: chosenIds } }, signal, ask),
  };
  const label = `Hand over to another ${labels.one.toLowerCase()}`;
  const field = { name: 'successor', label, type: 'relation', to: name, placeholder: 'Nobody' } as unknown as Field;
  return (
    <>
      <p role="status" style={{ marginTop: 12 }}>
        {words}
      </p>
      {assignments.resources.length > 0 && (
        <div style={{ marginTop: 12 }}>
          <label htmlFor={id} style={{ color: 'var(--t2)' }}>
            {label}
          </label>
          <FieldInput
            {...{ id, field, choices }}
            value={successor}
            onChange={(value) => onSuccessor(typeof value === 'number' ? value : undefined)}
          />
        </div>
      )}
    </>
  );
}
