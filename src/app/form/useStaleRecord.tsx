import { useState, type ReactNode, useId } from 'react';
import { fieldTypeOf } from '../../engine/field-types/index';
import type { Field, ResourceRecord } from '../../engine/definitions/definition';
import { isRows, rowsIn } from '../../engine/field-types/rows';
import { mergeRows } from '../../engine/forms/merge-rows';
import { changedFields, rowsForForm } from '../../engine/forms/form-values';
import { fieldOf } from '../../engine/definitions/accessors';
import { TypedValues, type TypedValue } from './TypedValues';
import type { ResourceFormState } from './useResourceForm';
import type { StaleRecord } from './useSaving';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import { InitialFocusButton } from '../dialogs/InitialFocusButton';
import * as styles from './form.module.css';

/**
 * Handles a record that somebody else saved in the meantime: asks, then loads their version with the typed values
 * beside it, or applies the user's changes on top of it.
 */
export function useStaleRecord(form: ResourceFormState, stale: StaleRecord | null, settle: () => void) {
  const [typedValues, setTypedValues] = useState<readonly TypedValue[]>([]);
  const { fields } = form.model;
  const { values, startValues } = form.form;
  const findTypedFields = () => changedFields(fields, startValues, values);

  // Rows of both are kept where they can be.
  const mergeValue = (field: Field, newerRecord: ResourceRecord) =>
    isRows(field)
      ? mergeRows(
          rowsIn(startValues[field.name]),
          rowsIn(values[field.name]),
          rowsForForm(field, rowsIn(newerRecord[field.name])),
        )
      : values[field.name];
  const loadTheirs = (newerRecord: ResourceRecord) => {
    setTypedValues(findTypedFields().map((field) => ({ label: field.label, text: valueText(form, field.name) })));
    form.restart(newerRecord);
    settle();
  };
  const keepEditing = (newerRecord: ResourceRecord) => {
    form.restart(
      newerRecord,
      Object.fromEntries(findTypedFields().map((field) => [field.name, mergeValue(field, newerRecord)])),
    );
    settle();
  };
  const dialog: ReactNode = <StaleRecordDialog stale={stale} onLoadTheirs={loadTheirs} onKeepEditing={keepEditing} />;
  const typedValuesBox: ReactNode = typedValues.length > 0 && (
    <TypedValues typedValues={typedValues} onDismiss={() => setTypedValues([])} />
  );
  return { dialog, beside: typedValuesBox, loadTheirs, keepEditing };
}

function valueText({ model, form, titles }: ResourceFormState, name: string): string {
  const field = fieldOf(model.definition, name);
  const value = form.values[name];
  if (field.to === undefined) return fieldTypeOf(field).toText(value, field, form.values);
  const ids = Array.isArray(value) ? (value as unknown[]) : value === undefined || value === null ? [] : [value];
  return ids.map((id) => titles.titleOf(field, id) ?? `#${String(id)}`).join(', ');
}

interface StaleRecordDialogProps {
  stale: StaleRecord | null;
  onLoadTheirs: (record: ResourceRecord) => void;
  onKeepEditing: (record: ResourceRecord) => void;
}

/** Another user saved the record in the meantime: load their version, or keep editing on top of it. */
function StaleRecordDialog({ stale, onLoadTheirs, onKeepEditing }: StaleRecordDialogProps) {
  const id = useId();
  const loadTheirs = () => stale && onLoadTheirs(stale.record);
  const keepEditing = () => stale && onKeepEditing(stale.record);
  return (
    <Dialog
      open={stale !== null}
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      onClose={keepEditing}
      slotProps={{ paper: { sx: { width: 400 } } }}
    >
      <DialogContent>
        <h2 id={`${id}-title`} className={styles.staleTitle}>
          Changed in the meantime
        </h2>
        <p id={`${id}-text`} className={styles.staleText}>
          {stale?.message} Nothing of yours was saved. If you load their version, what you typed stays beside the form
          to copy.
        </p>
      </DialogContent>
      <DialogActions>
        <Button variant="outlined" size="large" onClick={loadTheirs}>
          Load theirs
        </Button>
        <InitialFocusButton variant="contained" size="large" onClick={keepEditing}>
          Keep editing
        </InitialFocusButton>
      </DialogActions>
    </Dialog>
  );
}
