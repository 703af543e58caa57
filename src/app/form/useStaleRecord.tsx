import { useState, type ReactNode } from 'react';
import { fieldTypeOf } from '../../engine/field-types';
import type { Field, ResourceRecord } from '../../engine/definitions/definition';
import { isRows, rowsIn } from '../../engine/field-types/rows';
import { mergeRows } from '../../engine/forms/merge-rows';
import { changedFields, rowsForForm } from '../../engine/forms/form-values';
import { fieldOf } from '../../engine/definitions/accessors';
import { TypedValues, type TypedValue } from './TypedValues';
import { StaleRecordDialog } from './StaleRecordDialog';
import type { ResourceFormState } from './useResourceForm';
import type { StaleRecord } from './useSaving';

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
