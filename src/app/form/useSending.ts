import { useCreateController, useEditController } from 'react-admin';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import type { Send } from './useSaving';

interface Callbacks {
  onSuccess: (record: ResourceRecord) => void;
  onError: (error: unknown) => void;
}
type Save = (values: ResourceRecord, callbacks: Callbacks) => unknown;

/** Wraps a controller's `save` in a promise. */
function promised(save: unknown): Send {
  return (values) =>
    new Promise((onSuccess, onError) => {
      void (save as Save)(values, { onSuccess, onError });
    });
}

/** Saves a new record through react-admin's create controller. */
export function useCreating(definition: Definition): Send {
  const { save } = useCreateController({
    resource: definition.name,
    redirect: false,
    disableAuthentication: true,
    mutationMode: 'pessimistic',
  });
  return promised(save);
}

/**
 * Reads a stored record through react-admin's edit controller, and saves it. `record` is set once it came from the
 * server.
 */
export function useEditing(definition: Definition, id: string) {
  const controller = useEditController({
    resource: definition.name,
    id,
    redirect: false,
    disableAuthentication: true,
    mutationMode: 'pessimistic',
    // The form shows the error itself.
    queryOptions: { onError: () => {}, retry: false },
  });
  const { save, record, isFetching, error, refetch } = controller;
  return {
    send: promised(save),
    record: record as ResourceRecord | undefined,
    isFetching,
    error: error as Error | null,
    reload: async () => (await refetch()).data as ResourceRecord | undefined,
  };
}
