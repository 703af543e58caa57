import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type ReactNode } from 'react';
import type { SaveHandlerCallbacks } from 'react-admin';
import { realUser } from '../../engine/access/actor';
import type { Definition, FieldOf, ResourceRecord } from '../../engine/definitions/definition';
import { isInverse } from '../../engine/field-types/inverse';
import { createsRecord, type FormMode } from '../../engine/forms/form-fields';
import { recordTitle } from '../../engine/lists/row-actions';
import { changedFields } from '../../engine/forms/form-values';
import { relationTo, type ListScope } from '../../engine/lists/list-scope';
import { useDefinitions } from '../data/DefinitionsContext';
import { lastAddress } from '../preferences/lastAddress';
import { useListScope } from '../preferences/listScope';
import { leadingPath } from '../preferences/previousPath';
import { rememberRecent } from '../commands/recent';
import { lazyComponent } from '../states/lazyComponent';
import { rememberKeptValues } from './keptStore';
import { RecordForm } from './RecordForm';
import { refreshAfterSaving } from '../data/refreshAfterSaving';
import { useConcurrentChanges } from './useConcurrentChanges';
import { useInterruptedEntry } from './useInterruptedEntry';
import { useResourceForm, type ResourceFormState } from './useResourceForm';
import { useSavedToast } from './useSavedToast';
import type { SaveBeforeLeaving } from './UnsavedChangesProvider';
import { useSaving, type SaveRecord } from './useSaving';

const UsesQuestion = lazyComponent(() => import('./UsesQuestion').then((module) => ({ default: module.UsesQuestion })));

/** The purpose of a form, independent of where it is shown. */
export interface FormSource {
  definition: Definition;
  mode: FormMode;
  /** The initial record: the stored one, or the initial values of a new one. */
  record: ResourceRecord;
  send: SaveRecord;
  reload?: () => Promise<ResourceRecord | undefined>;
  /** The stored record as last read, which may be newer than the initial one. */
  latest?: ResourceRecord;
  /** The stored record was deleted in the meantime. */
  isDeleted?: boolean;
}

interface FormPlacement {
  /** The prefix of its inputs' ids. */
  idPrefix: string;
  /** Fields with fixed values. */
  fixedFields?: readonly string[];
  /** Called after the record was saved, the toast shown and lists invalidated, unless the next one is begun. */
  onSaved: (saved: ResourceRecord, form: ResourceFormState) => void;
  /** Called instead when the record was saved in order to leave the form. */
  onLeft?: (saved: ResourceRecord) => void;
}

/**
 * A form that saves its values and follows changes of its record; `fields` renders it with the given bar below.
 *
 * @example const { fields, dialog } = useRecordForm({ definition, mode: 'edit', record, send }, { idPrefix: 'meal', onSaved: close });
 */
export function useRecordForm(
  { definition, mode, record: givenRecord, send, reload, latest, isDeleted }: FormSource,
  { idPrefix, fixedFields: fixedNames, onSaved, onLeft }: FormPlacement,
) {
  const { actor } = useDefinitions();
  const person = realUser(actor).id;
  const scope = useListScope();
  // A new record begins where the user works, unless it is said where it belongs.
  const [presets] = useState(() => (mode === 'create' ? presetsInScope(definition, scope, person) : {}));
  const record = mode === 'create' ? { ...presets, ...givenRecord } : givenRecord;
  const form = useResourceForm(definition, mode, record, idPrefix, fixedNames);
  useInterruptedEntry(form, person);
  const { keep } = definition.form;
  const goesOn = useRef(false);
  const leaveAfterSaving = useRef<() => void>(undefined);
  const notifySaved = useSavedToast(definition, mode);
  const queryClient = useQueryClient();
  const handleSaved = (storedRecord: ResourceRecord) => {
    notifySaved(storedRecord);
    // The user goes on with the record that was saved last.
    if (definition.menu && storedRecord.id !== undefined && !actor.viewer)
      rememberRecent(actor.id, definition.name, Number(storedRecord.id));
    void refreshAfterSaving(queryClient, definition.name);
    const keptValues = mode === 'create' && keep ? pickValues(form.form.current(), keep) : undefined;
    // Stored at once, as the program may be left right after saving.
    if (keptValues) rememberKeptValues(person, definition.name, keptValues);
    const leave = leaveAfterSaving.current;
    leaveAfterSaving.current = undefined;
    if (leave) {
      onLeft?.(storedRecord);
      leave();
    } else if (goesOn.current) form.beginNext({ ...record, ...keptValues });
    else onSaved(storedRecord, form);
  };
  const {
    save,
    saving,
    alert,
    unsure: unsettledSave,
    stale,
    settle,
  } = useSaving({
    form,
    send,
    reload,
    onSaved: handleSaved,
    label: createsRecord(mode)
      ? definition.titles[mode]
      : `${definition.labels.one} ${recordTitle(definition, form.form.record)}`,
  });
  const { dialog, top } = useConcurrentChanges({ form, saving, stale, settle, latest, isDeleted });
  const [question, setQuestion] = useState<{ field: FieldOf<'inverse'>; callbacks?: SaveHandlerCallbacks }>();
  /** Saves as the button does, and goes where the person was going instead of where a saved form leads. */
  const saveAndLeave: SaveBeforeLeaving = (leave, stay) => {
    const giveUp = () => {
      leaveAfterSaving.current = undefined;
      stay();
    };
    if (!form.validator.isValid({}, form.form.current(), {})) {
      giveUp();
      return form.attempt();
    }
    leaveAfterSaving.current = leave;
    void onSave({ onError: giveUp });
  };
  const onSave = async (callbacks?: SaveHandlerCallbacks, beginsNext = false) => {
    goesOn.current = beginsNext;
    const field = mode === 'edit' ? askedBefore(form) : undefined;
    if (field && !saving) setQuestion({ field, callbacks });
    else await save(callbacks);
  };
  const fields = (bar: ReactNode) => (
    <RecordForm form={form} alert={alert} unsettledSave={unsettledSave} onSave={onSave} top={top}>
      {bar}
    </RecordForm>
  );
  return {
    form,
    /** The record that the form began with, and that the next one begins with. */
    firstRecord: record,
    saving,
    /** Whether another record can be begun as this one is saved. */
    hasNext: mode === 'create' && keep !== undefined,
    fields,
    saveAndLeave,
    dialog: (
      <>
        {dialog}
        {question && (
          <UsesQuestion
            definition={definition}
            id={String(form.form.record.id)}
            field={question.field}
            onClose={() => {
              setQuestion(undefined);
              question.callbacks?.onError?.(new Error('The question was not answered.'));
            }}
            onSave={() => {
              setQuestion(undefined);
              void save(question.callbacks);
            }}
          />
        )}
      </>
    ),
  };
}

/** The choice in the switcher as the value of a new record. A filter of the list beneath, or that led to the page, wins. */
function presetsInScope(definition: Definition, scope: ListScope | undefined, person: number): ResourceRecord {
  const relation = scope && relationTo(definition, scope);
  if (!relation) return {};
  const { name, embed } = relation;
  const list = `/${definition.name}`;
  const { pathname } = window.location;
  const isBeside = pathname === list || (pathname.startsWith(`${list}/`) && leadingPath() === list);
  const query = isBeside && lastAddress(person, definition.name);
  const id = Number(new URLSearchParams(query || '').get(name) ?? scope.id);
  if (id !== scope.id) return id > 0 ? { [name]: id } : {};
  return { [name]: id, ...(embed && scope.embed && { [embed]: scope.embed }) };
}

function pickValues(values: ResourceRecord, names: readonly string[]): ResourceRecord {
  return Object.fromEntries(names.map((name) => [name, values[name] ?? null]));
}

/** The field whose records a change of the form changes too, which is asked about before it is saved. */
function askedBefore({ model, form }: ResourceFormState): FieldOf<'inverse'> | undefined {
  const confirmingFields = Object.values(model.definition.fields)
    .filter(isInverse)
    .flatMap((field) => (field.confirmChangesOf ? { field, names: field.confirmChangesOf } : []));
  if (confirmingFields.length === 0) return undefined;
  const changedNames = new Set(changedFields(model.fields, form.startValues, form.current()).map(({ name }) => name));
  return confirmingFields.find(({ names }) => names.some((name) => changedNames.has(name)))?.field;
}
