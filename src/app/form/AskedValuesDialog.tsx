import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogTitle from '@mui/material/DialogTitle';
import { useId, useMemo } from 'react';
import type { Definition, RequestDefinition, ResourceRecord } from '../../engine/definitions/definition';
import { requestBody, requestFormDefinition } from '../../engine/forms/request-form';
import { RecordForm } from './RecordForm';
import { useResourceForm } from './useResourceForm';
import { useSaving } from './useSaving';
import * as formStyles from './form.module.css';

interface AskedValuesDialogProps {
  definition: Definition;
  request: RequestDefinition;
  title: string;
  /** Shown above the fields; empty: nothing. */
  question: string;
  /** The record that the request is made on; empty for several. */
  record?: ResourceRecord;
  /** Takes what was filled in. A rejection is shown at the fields. */
  onConfirm: (values: ResourceRecord) => Promise<unknown> | void;
  onClose: () => void;
}

const noRecord: ResourceRecord = {};

/** Asks for the values that a request with fixed values needs besides. */
export function AskedValuesDialog({
  definition,
  request,
  title,
  question,
  record = noRecord,
  onConfirm,
  onClose,
}: AskedValuesDialogProps) {
  const id = useId();
  const formDefinition = useMemo(() => requestFormDefinition(definition, request, undefined), [definition, request]);
  const form = useResourceForm(formDefinition, 'edit', record, `asked${id}`);
  const send = async () => {
    await onConfirm(requestBody(formDefinition, form.states, form.form.values));
    return record;
  };
  const { save, saving, alert, unsure: unsettledSave } = useSaving({ form, send, onSaved: onClose, label: title });
  return (
    <Dialog
      open
      aria-labelledby={id}
      slotProps={{
        paper: { className: formStyles.formDialog, sx: { width: request.width, maxWidth: 'calc(100% - 32px)' } },
      }}
      onClose={(_, reason) => reason === 'escapeKeyDown' && onClose()}
    >
      <DialogTitle id={id} component="h2">
        {title}
      </DialogTitle>
      <RecordForm
        form={form}
        alert={alert}
        unsettledSave={unsettledSave}
        onSave={save}
        top={question === '' ? undefined : <p className={formStyles.askedQuestion}>{question}</p>}
      >
        <DialogActions>
          <Button variant="outlined" size="large" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" variant="contained" size="large" aria-disabled={saving}>
            {request.label}
          </Button>
        </DialogActions>
      </RecordForm>
    </Dialog>
  );
}
