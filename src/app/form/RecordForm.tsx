import Alert from '@mui/material/Alert';
import type { RJSFSchema } from '@rjsf/utils';
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import type { SaveHandlerCallbacks } from 'react-admin';
import type { ResourceRecord } from '../../engine/definitions/definition';
import { useCommands } from '../commands/commands';
import { keysOf } from '../commands/keys';
import { Icon } from '../icons/Icon';
import { FormContext } from './FormContext';
import { FormSaveContext } from './FormSaveContext';
import { FormSkeleton } from './FormSkeleton';
import { useFormCode } from './ObjectTemplate';
import { RjsfForm } from './RjsfForm';
import { formWidgets } from './widgets';
import type { ResourceFormState } from './useResourceForm';
import { UnsettledSaveAlert } from './UnsettledSaveAlert';
import { usePastedPicture } from './usePastedPicture';
import type { UnsettledSave } from './useSaving';
import * as styles from './form.module.css';

interface RecordFormProps {
  form: ResourceFormState;
  /** Errors that belong to no field. */
  alert: readonly string[];
  /** Why a save is not finished. */
  unsettledSave?: UnsettledSave | null;
  /** Called with valid values, and with whom to tell how it ended. */
  onSave: (callbacks?: SaveHandlerCallbacks) => unknown;
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

/** The fields of a form and its bar. Ctrl+S and Ctrl+Enter save. */
export function RecordForm({ form, alert, unsettledSave, onSave, top, children }: RecordFormProps) {
  const { model, shape, computed: computedValues } = form;
  const frame = useRef<HTMLDivElement>(null);
  usePastedPicture(frame, form);
  useEffect(() => {
    if (alert.length > 0 || unsettledSave)
      frame.current?.querySelector('[role=alert]')?.scrollIntoView?.({ block: 'center' });
  }, [alert, unsettledSave]);
  const save = () => frame.current?.querySelector('form')?.requestSubmit();
  useCommands(() => [{ id: 'save', label: 'Save', icon: 'check', keys: 'Ctrl+S', run: save }], !shape.readOnly);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const isSave = !event.altKey && ['Ctrl+S', 'Ctrl+Enter'].includes(keysOf(event.nativeEvent));
    // In a grid of rows Ctrl+Enter adds a row.
    const isOfGrid = event.key === 'Enter' && (event.target as Element).closest('[data-row-grid]') !== null;
    if (!isSave || isOfGrid) return;
    event.preventDefault();
    event.stopPropagation();
    if (!shape.readOnly) save();
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
            onSubmit={() => onSave()}
            onError={form.attempt}
          >
            {children}
          </RjsfForm>
        </div>
      </FormContext>
    </FormSaveContext>
  );
}
