import { CreateBase, EditBase, useCreateContext, useEditContext } from 'react-admin';
import type { ReactNode } from 'react';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { invitationLink } from '../session/invitationLink';
import type { SaveRecord } from './useSaving';

interface NewRecordBaseProps {
  definition: Definition;
  children: ReactNode;
}

/** The parts that react-admin leaves to the form: access, where to go on, and that an error stays beside what was typed. */
const formOptions = { redirect: false, disableAuthentication: true, mutationMode: 'pessimistic' } as const;
/** The form shows the error itself. */
const queryOptions = { onError: () => {}, retry: false };

/** react-admin's create context around the form of a new record. */
export function NewRecordBase({ definition, children }: NewRecordBaseProps) {
  return (
    <CreateBase resource={definition.name} {...formOptions}>
      {children}
    </CreateBase>
  );
}

/** react-admin's edit context around the form of a stored record, and whatever is shown beside it. */
export function StoredRecordBase({ definition, id, children }: NewRecordBaseProps & { id: string }) {
  return (
    <EditBase resource={definition.name} id={id} {...formOptions} queryOptions={queryOptions}>
      {children}
    </EditBase>
  );
}

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

/**
 * Saves a new record by the create context around the caller.
 *
 * @example const saved = await useCreateRecord(definition)({ title: 'Lunch' });
 */
export function useCreateRecord(definition: Definition): SaveRecord {
  const create = asPromise(useCreateContext().save);
  // A new person is invited.
  const isPerson = definition.fields.created_by?.to === definition.name;
  return isPerson ? (values) => create({ ...values, ...invitationLink() }) : create;
}

/**
 * The stored record of the edit context around the caller, once it came from the server, and how it is saved.
 *
 * @example const { record, send } = useEditRecord(); // await send({ ...record, title: 'Lunch' })
 */
export function useEditRecord() {
  const { save, record, isFetching, error, refetch } = useEditContext();
  return {
    send: asPromise(save),
    record: record as ResourceRecord | undefined,
    isFetching,
    error: error as Error | null,
    reload: async () => (await refetch()).data as ResourceRecord | undefined,
  };
}
