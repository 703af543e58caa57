import type { ReactNode } from 'react';
import {
  RecordContextProvider,
  ResourceContextProvider,
  SaveContextProvider,
  type SaveHandlerCallbacks,
} from 'react-admin';
import { flushSync } from 'react-dom';
import type { ResourceRecord } from '../../engine/definitions/definition';
import { createsRecord } from '../../engine/forms/form-fields';
import type { ResourceFormState } from './useResourceForm';

interface FormSaveContextProps {
  form: ResourceFormState;
  onSave: (callbacks?: SaveHandlerCallbacks) => unknown;
  children: ReactNode;
}

/**
 * react-admin's contexts for the parts of a form: its resource, its stored record, and a `save` that puts values into the
 * form and saves it as its button does, with checks, questions and errors at the fields.
 */
export function FormSaveContext({ form, onSave, children }: FormSaveContextProps) {
  const { definition, mode, fields } = form.model;
  const save = async (values: ResourceRecord, { transform, ...callbacks }: SaveHandlerCallbacks = {}) => {
    const changes: ResourceRecord = transform ? await transform(values) : values;
    const names = fields.map(({ name }) => name).filter((name) => name in changes);
    const next = { ...form.form.current(), ...Object.fromEntries(names.map((name) => [name, changes[name]])) };
    // The values to send are read from the form as it is drawn.
    flushSync(() => form.change(next));
    if (form.validator.isValid({}, next, {})) await onSave(callbacks);
    else form.attempt();
  };
  return (
    <ResourceContextProvider value={definition.name}>
      <RecordContextProvider value={createsRecord(mode) ? undefined : form.form.record}>
        <SaveContextProvider value={{ save, mutationMode: 'pessimistic' }}>{children}</SaveContextProvider>
      </RecordContextProvider>
    </ResourceContextProvider>
  );
}
