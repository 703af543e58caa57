import { useState, type ReactNode } from 'react';
import { fieldTypeOf } from '../../engine/field-types';
import type { Field, ResourceRecord } from '../../engine/definitions/definition';
import { isRows, rowsIn } from '../../engine/field-types/rows';
import { mergeRows } from '../../engine/forms/merge-rows';
import { changedFields, rowsForForm } from '../../engine/forms/form-values';
import { TypedValues, type TypedValue } from './TypedValues';
import { StaleRecordDialog } from './StaleRecordDialog';
import type { ResourceFormState } from './useResourceForm';
import type { StaleRecord } from './useSaving';

/**
 * Handles a record that somebody else saved in the meantime: asks, then loads their version with the typed values
 * beside it, or applies the user's changes on top of it.
 */
export function useStaleRecord(form: ResourceFormState, stale: StaleRecord | null, settle: () => void) {
  const [typed, setTyped] = useState<readonly TypedValue[]>([]);
  const { fields } = form.model;
  const { values, before } = form.form;
  const mine = () => changedFields(fields, before, values);

  // Rows of both are kept where they can be.
  const merged = (field: Field, theirs: ResourceRecord) =>
    isRows(field)
      ? mergeRows(
          rowsIn(before[field.name]),
          rowsIn(values[field.name]),
          rowsForForm(field, rowsIn(theirs[field.name])),
        )
      : values[field.name];
  const loadTheirs = (theirs: ResourceRecord) => {
    setTyped(mine().map((field) => ({ label: field.label, text: valueText(form, field.name) })));
    form.restart(theirs);
    settle();
  };
  const keepEditing = (theirs: ResourceRecord) => {
    form.restart(theirs, Object.fromEntries(mine().map((field) => [field.name, merged(field, theirs)])));
    settle();
  };
  const dialog: ReactNode = (
    <StaleRecordDialog
      stale={stale}
      onLoadTheirs={() => loadTheirs(stale!.record)}
      onKeepEditing={() => keepEditing(stale!.record)}
    />
  );
  const beside: ReactNode = typed.length > 0 && <TypedValues typed={typed} onDismiss={() => setTyped([])} />;
  return { dialog, beside, loadTheirs, keepEditing };
}

function valueText({ model, form, titles }: ResourceFormState, name: string): string {
  const field = model.definition.fields[name]!;
  const value = form.values[name];
  if (field.to === undefined) return fieldTypeOf(field).toText(value, field, form.values);
  const ids = Array.isArray(value) ? (value as unknown[]) : value === undefined || value === null ? [] : [value];
  return ids.map((id) => titles.titleOf(field, id) ?? `#${String(id)}`).join(', ');
}
