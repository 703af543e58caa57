import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import { useEffect, useId, useState } from 'react';
import { DialogHead } from '../dialogs/DialogHead';
import type { ResourceRecord } from '../../engine/definitions/definition';
import { createsRecord } from '../../engine/forms/form-fields';
import type { OpenedForm } from '../dialogs/openDialog';
import { FailedState } from '../states/FailedState';
import type { FormFrameProps } from './formFrame';
import { FormSkeleton } from './FormSkeleton';
import { formTitle } from './formTexts';
import { useGuardedClose } from './useGuardedClose';
import { useRecordForm, type FormSource } from './useRecordForm';
import { SidePanel } from './side/SidePanel';
import { SideDelete } from './side/SideDelete';
import { SideHead } from './side/SideHead';
import { useCallAfterCreate } from './side/useCallAfterCreate';
import { useCreateRecord, useEditRecord } from './useRecordMutations';
import * as formTabsStyles from './tabs/form-tabs.module.css';
import * as styles from './form.module.css';

/** Options and callbacks of the dialog. */
export interface ResourceFormDialogProps extends Omit<OpenedForm, 'kind'> {
  onClose: () => void;
}

/** The form of any definition in a dialog without a route. It is open while mounted. */
export function ResourceFormDialog(props: ResourceFormDialogProps) {
  const {
    definition,
    width = definition.form.dialog?.width ?? definition.form.popup?.width ?? 480,
    id,
    onClose,
  } = props;
  const titleId = useId();
  const { close, onDirty, question } = useGuardedClose(onClose);
  const parts = { ...props, onCancel: close, onDirty };
  const title = formTitle(definition, props.mode, false);
  const form = id === undefined ? <NewForm {...parts} /> : <StoredForm {...parts} id={id} />;
  const Frame = definition.form.dialog?.side ? SidePanel : CentredDialog;
  return (
    <>
      <Frame {...{ titleId, title, width, onClose: close }} lasting={props.shown !== undefined}>
        {form}
      </Frame>
      {question}
    </>
  );
}

function CentredDialog({ titleId, title, width, onClose, children }: FormFrameProps) {
  return (
    <Dialog
      open
      aria-labelledby={titleId}
      slotProps={{
        paper: {
          className: typeof width === 'number' ? styles.formDialog : formTabsStyles.formPopup,
          sx: { width, maxWidth: 'calc(100% - 32px)' },
        },
      }}
      onClose={(_, reason) => reason === 'escapeKeyDown' && onClose()}
    >
      <DialogHead id={titleId} onClose={onClose}>
        {title}
      </DialogHead>
      {children}
    </Dialog>
  );
}

interface DialogPartProps extends ResourceFormDialogProps {
  /** Closes the dialog, or asks first if there are unsaved changes. */
  onCancel: () => void;
  onDirty: (dirty: boolean) => void;
}

const emptyRecord: ResourceRecord = {};
const none: readonly string[] = [];

function NewForm(props: DialogPartProps) {
  const create = useCreateRecord(props.definition);
  const { preset = emptyRecord, fixed = none } = props;
  const given = Object.fromEntries(fixed.map((name) => [name, preset[name]]));
  return <DialogForm {...props} record={preset} send={(values) => create({ ...values, ...given })} />;
}

function StoredForm(props: DialogPartProps & { id: string }) {
  const { record, isFetching, error, send, reload } = useEditRecord(props.definition, props.id);
  const create = useCreateRecord(props.definition);
  const store = createsRecord(props.mode) ? create : send;
  const [first, setFirst] = useState<ResourceRecord>();
  if (!first && record && !isFetching) setFirst(record);
  if (first) return <DialogForm {...props} record={first} send={store} reload={reload} latest={record} />;
  if (isFetching || !error) return <FormSkeleton definition={props.definition} />;
  return (
    <FailedState
      title={`${props.definition.labels.one} could not be loaded`}
      message={error.message}
      onRetry={() => void reload()}
    />
  );
}

type DialogFormProps = DialogPartProps & FormSource;

function DialogForm(props: DialogFormProps) {
  const { definition, mode, fixed, shown, onClose, onCancel, onDirty, onSaved } = props;
  const callAfterCreate = useCallAfterCreate(definition);
  const { form, saving, fields, dialog } = useRecordForm(props, {
    idPrefix: `dialog${useId()}`,
    fixed,
    onSaved: (stored) => {
      onDirty(false);
      onSaved?.(stored);
      onClose();
      if (createsRecord(mode)) callAfterCreate(stored);
    },
  });
  const { dirty } = form.form;
  useEffect(() => onDirty(dirty), [dirty, onDirty]);
  return (
    <>
      {definition.form.dialog?.side && (
        <SideHead {...{ definition, shown }} record={{ ...props.record, ...form.form.values }} />
      )}
      {fields(
        <DialogActions>
          {definition.form.dialog?.side && props.record.id !== undefined && (
            <SideDelete {...{ definition }} record={props.record} onDeleted={onClose} />
          )}
          <Button variant="outlined" size="large" onClick={onCancel}>
            {form.shape.readOnly ? 'Close' : 'Cancel'}
          </Button>
          {!form.shape.readOnly && (
            <Button type="submit" variant="contained" size="large" aria-disabled={saving}>
              Save
            </Button>
          )}
        </DialogActions>,
      )}
      {dialog}
    </>
  );
}
