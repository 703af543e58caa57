import Alert from '@mui/material/Alert';
import type { RJSFSchema } from '@rjsf/utils';
import { useEffect, useRef, useState, type FormEvent, type KeyboardEvent, type ReactNode } from 'react';
import {
  type SaveHandlerCallbacks,
  RecordContextProvider,
  ResourceContextProvider,
  SaveContextProvider,
} from 'react-admin';
import type { ResourceRecord } from '../../engine/definitions/definition';
import { useCommands } from '../commands/commands';
import { keysOf } from '../commands/keys';
import { Icon } from '../icons/Icon';
import { FormContext } from './FormContext';
import { FormSkeleton } from './FormSkeleton';
import { useFormCode, ObjectTemplate } from './ObjectTemplate';
import { formWidgets } from './widgets';
import type { ResourceFormState } from './useResourceForm';
import { usePastedPicture } from './usePastedPicture';
import type { UnsettledSave } from './useSaving';
import * as styles from './form.module.css';
import { withTheme } from '@rjsf/core';
import BaseInputTemplate from '@rjsf/mui/lib/BaseInputTemplate/index.js';
import DescriptionFieldTemplate from '@rjsf/mui/lib/DescriptionField/index.js';
import * as ButtonTemplates from '@rjsf/mui/lib/IconButton/index.js';
import TitleFieldTemplate from '@rjsf/mui/lib/TitleField/index.js';
import { FieldTemplate } from './FieldTemplate';
import Button from '@mui/material/Button';
import { flushSync } from 'react-dom';
import { createsRecord } from '../../engine/forms/form-fields';

interface UnsettledSaveAlertProps {
  unsettled: UnsettledSave;
  onAgain: () => void;
}

const retryLabels = { unknown: 'Try again', lost: 'Try now', doubtful: undefined, slow: undefined } as const;

/**
 * Explains why a save is not finished: its outcome is unknown, or it waits for the connection. Sending the same values
 * again is safe.
 */
function UnsettledSaveAlert({ unsettled: { kind, reason }, onAgain }: UnsettledSaveAlertProps) {
  const label = retryLabels[kind];
  const button = label && (
    <Button color="inherit" size="small" onClick={onAgain}>
      {label}
    </Button>
  );
  return (
    <Alert severity={kind === 'slow' ? 'info' : 'warning'} icon={<Icon name="warning" />} action={button}>
      <div>{reason}</div>
      {kind === 'unknown' && (
        <div>You can try again safely as long as you change nothing: the same values are saved only once.</div>
      )}
    </Alert>
  );
}

/**
 * rjsf with sections and fields as the product lays them out, and with what widgets draw by templates in MUI. Every field
 * has a widget, so that the templates of nested objects, lists and choices are never drawn.
 */
const RjsfForm = withTheme<ResourceRecord>({
  templates: {
    BaseInputTemplate,
    ButtonTemplates,
    DescriptionFieldTemplate,
    TitleFieldTemplate,
    ObjectFieldTemplate: ObjectTemplate,
    FieldTemplate,
    ErrorListTemplate: () => null,
  },
});

interface RecordFormProps {
  form: ResourceFormState;
  /** Errors that belong to no field. */
  alert: readonly string[];
  /** Why a save is not finished. */
  unsettledSave?: UnsettledSave | null;
  /** Called with valid values, and with whom to tell how it ended; `goesOn`: the next record is begun then. */
  onSave: (callbacks?: SaveHandlerCallbacks, goesOn?: boolean) => unknown;
  /** Shown above the fields. */
  top?: ReactNode;
  /** The bar with the buttons. */
  children: ReactNode;
}

/** Computed values are only shown: the form keeps what is stored, so that they never count as typed. */
function withStored(
  shownValues: ResourceRecord,
  values: ResourceRecord,
  computedValues: ResourceRecord,
): ResourceRecord {
  return { ...shownValues, ...Object.fromEntries(Object.keys(computedValues).map((name) => [name, values[name]])) };
}

const noDefaults = { emptyObjectFields: 'skipDefaults', arrayMinItems: { populate: 'never' } } as const;

/** The value of the button that saves and begins the next record. */
export const nextButton = 'next';

/** The fields of a form and its bar. Ctrl+S and Ctrl+Enter save; Ctrl+Shift+Enter saves and begins the next record. */
export function RecordForm({ form, alert, unsettledSave, onSave, top, children }: RecordFormProps) {
  const { model, shape, computed: computedValues } = form;
  const frame = useRef<HTMLDivElement>(null);
  usePastedPicture(frame, form);
  useEffect(() => {
    if (alert.length > 0 || unsettledSave)
      frame.current?.querySelector('[role=alert]')?.scrollIntoView?.({ block: 'center' });
  }, [alert, unsettledSave]);
  const save = (goesOn = false) => {
    const next = goesOn && frame.current?.querySelector<HTMLButtonElement>(`button[value=${nextButton}]`);
    frame.current?.querySelector('form')?.requestSubmit(next || undefined);
  };
  useCommands(() => [{ id: 'save', label: 'Save', icon: 'check', keys: 'Ctrl+S', run: () => save() }], !shape.readOnly);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const isSave = !event.altKey && ['Ctrl+S', 'Ctrl+Enter'].includes(keysOf(event.nativeEvent));
    if (!isSave) return;
    event.preventDefault();
    event.stopPropagation();
    if (!shape.readOnly) save(event.shiftKey && event.key === 'Enter');
  };
  const [widgets] = useState(formWidgets);
  const isReady = useFormCode(model.definition);
  if (!isReady) return <FormSkeleton definition={model.definition} />;
  return (
    <FormSaveContext form={form} onSave={onSave}>
      <FormContext value={shape}>
        <div className={styles.formFrame} ref={frame} onKeyDownCapture={onKeyDown}>
          {(model.access.refusal || alert.length > 0 || unsettledSave || top) && (
            <div className={styles.formTop}>
              {model.access.refusal && (
                <Alert severity="info" icon={<Icon name="info" />} role="status">
                  {model.access.refusal}
                </Alert>
              )}
              {alert.length > 0 && (
                <Alert severity="error" icon={<Icon name="warning" />}>
                  {alert.map((message) => (
                    <div key={message}>{message}</div>
                  ))}
                </Alert>
              )}
              {unsettledSave && <UnsettledSaveAlert unsettled={unsettledSave} onAgain={() => onSave()} />}
              {top}
            </div>
          )}
          <RjsfForm
            key={form.generation}
            className={styles.form}
            idPrefix={form.idPrefix}
            schema={model.schema as RJSFSchema}
            uiSchema={model.uiSchema}
            widgets={widgets}
            formData={{ ...form.form.values, ...computedValues }}
            validator={form.validator}
            noHtml5Validate
            showErrorList={false}
            experimental_defaultFormStateBehavior={noDefaults}
            onChange={({ formData }) => form.change(withStored(formData ?? {}, form.form.values, computedValues))}
            onSubmit={(_, event) => onSave(undefined, isForNext(event))}
            onError={form.attempt}
          >
            {children}
          </RjsfForm>
        </div>
      </FormContext>
    </FormSaveContext>
  );
}

/** Whether a form is submitted by the button that begins the next record. */
function isForNext({ nativeEvent }: FormEvent): boolean {
  return (nativeEvent as SubmitEvent).submitter?.getAttribute('value') === nextButton;
}

interface FormSaveContextProps {
  form: ResourceFormState;
  onSave: (callbacks?: SaveHandlerCallbacks) => unknown;
  children: ReactNode;
}

/**
 * react-admin's contexts for the parts of a form: its resource, its stored record, and a `save` that puts values into the
 * form and saves it as its button does, with checks, questions and errors at the fields.
 */
function FormSaveContext({ form, onSave, children }: FormSaveContextProps) {
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
