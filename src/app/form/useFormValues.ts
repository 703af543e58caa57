import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import type { ResourceRecord } from '../../engine/definitions/definition';
import { migrateFormValues } from '../../engine/forms/migrate-values';
import { changedFields, initialValues, isSameValue, takenVersions } from '../../engine/forms/form-values';
import type { FormModel } from './useFormModel';

/** The values of a form, its initial values, and the stored record. */
export interface FormValues {
  readonly values: ResourceRecord;
  readonly startValues: ResourceRecord;
  readonly record: ResourceRecord;
  readonly dirty: boolean;
  /** The current values, also for callbacks created before they changed. */
  current(): ResourceRecord;
  set(values: ResourceRecord): void;
  /** Adds values that the form begins with, and that are no change. */
  begin(values: ResourceRecord): void;
  /** Restarts with another version of the record; `keptValues` stay on top of it. */
  restart(record: ResourceRecord, keptValues?: ResourceRecord): void;
}

/** Holds a form's values. Later server responses do not overwrite them; a changed definition is applied to them. */
export function useFormValues(model: FormModel, first: ResourceRecord): FormValues {
  const { definition, fields, mode, evaluationContext } = model;
  const begin = (record: ResourceRecord) => initialValues(definition, fields, mode, record, evaluationContext);
  const [{ record, before: startValues }, setStart] = useState(() => ({ record: first, before: begin(first) }));
  const [values, setValues] = useState(startValues);
  const latest = useRef(values);
  const [knownFields, setKnownFields] = useState(fields);
  if (knownFields !== fields) {
    const start = begin(record);
    setKnownFields(fields);
    setStart({ record, before: migrateFormValues(knownFields, fields, startValues, start) });
    setValues(migrateFormValues(knownFields, fields, values, start));
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
    startValues,
    record,
    dirty:
      changedFields(fields, startValues, values).length > 0 || Object.keys(takenVersions(fields, values)).length > 0,
    current: useCallback(() => latest.current, []),
    set,
    begin: (addedValues) => {
      setStart((start) => ({ ...start, before: { ...start.before, ...addedValues } }));
      set({ ...latest.current, ...addedValues });
    },
    restart: (newer, keptValues = {}) => {
      const start = begin(newer);
      setStart({ record: newer, before: start });
      set({ ...start, ...keptValues });
    },
  };
}

/** The names of values that differ between two states of a form. */
export function differingNames(first: ResourceRecord, second: ResourceRecord): string[] {
  const names = new Set([...Object.keys(first), ...Object.keys(second)]);
  return [...names].filter((name) => !isSameValue(first[name], second[name]));
}
