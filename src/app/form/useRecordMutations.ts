import { useCreateController, useEditController } from 'react-admin';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { invitationLink } from '../session/invitationLink';
import type { SaveRecord } from './useSaving';

interface SaveCallbacks {
  onSuccess: (record: ResourceRecord) => void;
  onError: (error: unknown) => void;
}
type ControllerSave = (values: ResourceRecord, callbacks: SaveCallbacks) => unknown;

/** Wraps a controller's `save` in a promise. */
function asPromise(save: unknown): SaveRecord {
  return (values) =>
    new Promise((onSuccess, onError) => {
      void (save as ControllerSave)(values, { onSuccess, onError });
    });
}

/** Saves a new record through react-admin's create controller. */
export function useCreateRecord(definition: Definition): SaveRecord {
  const { save } = useCreateController({
    resource: definition.name,
    redirect: false,
    disableAuthentication: true,
    mutationMode: 'pessimistic',
  });
  const create = asPromise(save);
  // A new person is invited.
  const isPerson = definition.fields.created_by?.to === definition.name;
  return isPerson ? (values) => create({ ...values, ...invitationLink() }) : create;
}

/**
 * Reads a stored record through react-admin's edit controller, and saves it. `record` is set once it came from the
 * server.
 */
export function useEditRecord(definition: Definition, id: string) {
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
    send: asPromise(save),
    record: record as ResourceRecord | undefined,
    isFetching,
    error: error as Error | null,
    reload: async () => (await refetch()).data as ResourceRecord | undefined,
  };
}
