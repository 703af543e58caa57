import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import type { ResourceRecord } from '../../engine/definitions/definition';
import { migrateFormValues } from '../../engine/forms/migrate-values';
import { changedFields, initialValues, isSameValue, takenVersions } from '../../engine/forms/form-values';
import type { FormModel } from './useFormModel';

/** The values of a form, its initial values, and the stored record. */
export interface FormValues {
  readonly values: ResourceRecord;
  readonly before: ResourceRecord;
  readonly record: ResourceRecord;
  readonly dirty: boolean;
  /** The current values, also for callbacks created before they changed. */
  current(): ResourceRecord;
  set(values: ResourceRecord): void;
  /** Adds values that the form begins with, and that are no change. */
  begin(values: ResourceRecord): void;
  /** Restarts with another version of the record; `kept` values stay on top of it. */
  restart(record: ResourceRecord, kept?: ResourceRecord): void;
}

/** Holds a form's values. Later server responses do not overwrite them; a changed definition is applied to them. */
export function useFormValues(model: FormModel, first: ResourceRecord): FormValues {
  const { definition, fields, mode, evaluationContext } = model;
  const begin = (record: ResourceRecord) => initialValues(definition, fields, mode, record, evaluationContext);
  const [{ record, before }, setStart] = useState(() => ({ record: first, before: begin(first) }));
  const [values, setValues] = useState(before);
  const latest = useRef(values);
  const [known, setKnown] = useState(fields);
  if (known !== fields) {
    const start = begin(record);
    setKnown(fields);
    setStart({ record, before: migrateFormValues(known, fields, before, start) });
    setValues(migrateFormValues(known, fields, values, start));
  }
  useLayoutEffect(() => {
    latest.current = values;
  }, [values]);
  const set = useCallback((next: ResourceRecord) => {
    latest.current = next;
    setValues(next);
  }, []);
  return {
    values,
    before,
    record,
    dirty: changedFields(fields, before, values).length > 0 || Object.keys(takenVersions(fields, values)).length > 0,
    current: useCallback(() => latest.current, []),
    set,
    begin: (more) => {
      setStart((start) => ({ ...start, before: { ...start.before, ...more } }));
      set({ ...latest.current, ...more });
    },
    restart: (newer, kept = {}) => {
      const start = begin(newer);
      setStart({ record: newer, before: start });
      set({ ...start, ...kept });
    },
  };
}

/** The names of values that differ between two states of a form. */
export function differingNames(one: ResourceRecord, other: ResourceRecord): string[] {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].filter((name) => !isSameValue(one[name], other[name]));
}
