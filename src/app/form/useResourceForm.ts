import { isRelation } from '../../engine/field-types/relation';
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { Definition, Field, ResourceRecord } from '../../engine/definitions/definition';
import { realUser } from '../../engine/access/actor';
import { initialValues, isSameValue } from '../../engine/forms/form-values';
import { validateForm } from '../../engine/forms/validate-form';
import { fieldOfPlace } from '../../engine/field-types/rows';
import { fieldStates } from '../../engine/forms/field-states';
import { createsRecord, type FormMode } from '../../engine/forms/form-fields';
import type { FieldErrors } from '../../engine/validation/validate-values';
import { useDefinitions } from '../data/DefinitionsContext';
import { useOwnerDocument } from '../layout/FramedContext';
import { useApi } from '../session/apiClient';
import { focusField } from './focusField';
import { fieldContextOf } from './fieldContext';
import type { FormContextValue } from './FormContext';
import { formValidator } from './formValidator';
import { useClearDependents } from './useClearDependents';
import { useFormModel, type FormModel } from './useFormModel';
import { differingNames, useFormValues, type FormValues } from './useFormValues';
import { computedKind } from '../../engine/conditions/computed-kind';
import { rollupOf } from '../../engine/expressions/derivations';
import { fieldOf } from '../../engine/definitions/accessors';
import { useComputedValues } from './useComputedValues';
import { useRelatedTests } from './useRelatedTests';
import { useFormTitles } from './useFormTitles';

/** A mounted form: its model, values, errors, and what its parts need. */
export type ResourceFormState = ReturnType<typeof useResourceForm>;

/**
 * Creates a form. `first` is the initial record: the stored one, or the initial values of a new one. `lockedNames`
 * lists fields with fixed values; `resourceOf` gives the resource of fields that are of another record, for which
 * files are uploaded.
 *
 * @example const form = useResourceForm(definition, 'edit', record, 'task');
 */
export function useResourceForm(
  definition: Definition,
  mode: FormMode,
  first: ResourceRecord,
  idPrefix: string,
  lockedNames: readonly string[] = noNames,
  resourceOf?: (field: Field) => string | undefined,
) {
  const { registry, actor } = useDefinitions();
  const ask = useApi();
  const page = useOwnerDocument();
  const storedRecord = createsRecord(mode) ? undefined : first;
  const model = useFormModel(definition, mode, storedRecord, lockedNames);
  const { fields, access, evaluationContext } = model;
  const form = useFormValues(model, first);
  const titles = useFormTitles(form.record);
  useLookedUpValues(model, form, titles);
  const [attempted, setAttempted] = useState(false);
  const [refusals, setRefusals] = useState<FieldErrors>({});
  const [problems, setProblems] = useState<FieldErrors>({});
  const [pending, setPending] = useState<FieldErrors>({});
  const [notes, setNotes] = useState<Readonly<Record<string, string>>>({});
  const [focus, setFocus] = useState(0);
  const [generation, setGeneration] = useState(0);

  const note = useCallback(
    (field: Field, text: string) => setNotes((previous) => ({ ...previous, [field.name]: text })),
    [],
  );
  const follow = useClearDependents({ model, form, titles, note });
  const relatedResults = useRelatedTests(definition, form.values, { ...evaluationContext, record: form.record });
  const computedValues = useComputedValues(model, form.record, form.values);
  const conditionValues = derivedValues(definition, storedRecord && form.record, computedValues);
  const shownComputed = useMemo(
    () =>
      Object.fromEntries(fields.flatMap(({ name }) => (name in computedValues ? [[name, computedValues[name]]] : []))),
    [fields, computedValues],
  );
  const statesOf = (values: ResourceRecord) =>
    fieldStates(definition, fields, mode, access, values, {
      ...evaluationContext,
      record: form.record,
      related: relatedResults,
      derived: conditionValues,
    });
  const check = (values: ResourceRecord): FieldErrors => ({
    ...validateForm(definition, fields, statesOf(values), values, {
      ...evaluationContext,
      record: storedRecord && form.record,
      related: relatedResults,
      derived: conditionValues,
    }),
    ...pending,
    ...problems,
  });
  const states = statesOf(form.values);
  const errors: FieldErrors = { ...(attempted ? check(form.values) : problems), ...refusals };

  const [validator] = useState(formValidator);
  useEffect(() => validator.checkWith(check));

  const faultyNames = fields
    .filter(({ name }) => states[name]?.visible && Object.keys(errors).some((path) => fieldOfPlace(path) === name))
    .map(({ name }) => name);
  useEffect(() => {
    // Once per attempt, after the errors are rendered.
    if (focus > 0 && faultyNames[0]) focusField(page, idPrefix, faultyNames[0]);
    // oxlint-disable-next-line react/exhaustive-deps
  }, [focus]);

  const change = (values: ResourceRecord) => {
    const changedNames = differingNames(form.current(), values);
    if (changedNames.length === 0) return;
    form.set(values);
    setRefusals((previous) => withoutPlaces(previous, changedNames));
    setNotes((previous) => omitNames(previous, changedNames));
    follow(changedNames);
  };
  const restart = (record: ResourceRecord, keptValues?: ResourceRecord) => {
    form.restart(record, keptValues);
    setAttempted(false);
    setRefusals({});
    setNotes({});
  };
  const reporter = (set: typeof setProblems) => (name: string) => (message: string | undefined) =>
    set((previous) => {
      if (previous[name] === message) return previous;
      return message === undefined ? omitNames(previous, [name]) : { ...previous, [name]: message };
    });
  const problem = reporter(setProblems);

  const formState = {
    ...{ registry, actor, model, form, titles, storedRecord, states, errors, notes, idPrefix, ask, resourceOf, change },
    evaluationContext: {
      ...evaluationContext,
      record: storedRecord && form.record,
      related: relatedResults,
      derived: conditionValues,
    },
    onPending: reporter(setPending),
    onProblem: problem,
  };
  const fieldContext = (field: Field) => fieldContextOf(field, formState);
  const { readOnly } = access;
  // The fields of a new record, or in a request those that it adds to the record, begin with values.
  const isFilledIn = (field: Field) =>
    access.fields.has(field.name) && (createsRecord(mode) || resourceOf?.(field) !== undefined);
  const newValues = useMemo(
    () => initialValues(definition, fields, 'create', {}, evaluationContext),
    [definition, fields, evaluationContext],
  );
  const shape: FormContextValue = {
    readOnly,
    first: readOnly ? undefined : fields.find(isFilledIn)?.name,
    titleField: definition.titleField,
    keptFields: mode === 'create' ? fields.filter(({ name }) => definition.form.keep?.includes(name)) : noFields,
    fieldContext,
    isBegun: ({ name }) => isSameValue(form.values[name], newValues[name]),
    titles,
    focus: (name) => focusField(page, idPrefix, name),
  };
  return {
    model,
    form,
    titles,
    states,
    shape,
    /** The values of the form's computed fields, as they follow from the typed ones. */
    computed: shownComputed,
    validator,
    idPrefix,
    /** How many records were begun in it before. */
    generation,
    change,
    /** Sets a field to a pasted picture, or shows at the field why it cannot. */
    paste: (field: Field, value: unknown, reason: string | undefined) => {
      problem(field.name)(reason);
      if (value === undefined) return;
      change({ ...form.current(), [field.name]: value });
      note(field, 'Pasted here. Save the form to keep it.');
    },
    /** The number of fields with errors. */
    wrong: faultyNames.length,
    /** Shows errors and focuses the first one. */
    attempt: () => {
      setAttempted(true);
      setFocus((times) => times + 1);
    },
    /** Shows the server's errors at their fields. */
    refuse: (serverErrors: FieldErrors) => {
      setRefusals(serverErrors);
      setFocus((times) => times + 1);
    },
    /** Restarts with another version of the record. */
    restart,
    /** Begins another new record with these values. */
    beginNext: (record: ResourceRecord) => {
      restart(record);
      setGeneration((count) => count + 1);
    },
  };
}

/** Looks up the initial values of a new record: those of the last one, and defaults among the records of its relations. */
function useLookedUpValues(
  { definition, mode, fields }: FormModel,
  form: FormValues,
  titles: ReturnType<typeof useFormTitles>,
): void {
  const ask = useApi();
  const person = realUser(useDefinitions().actor).id;
  useEffect(() => {
    const keep = mode === 'create' ? definition.form.keep : undefined;
    const open = createsRecord(mode)
      ? fields.filter((field) => isRelation(field) && field.default instanceof Object && !form.current()[field.name])
      : [];
    const controller = new AbortController();
    if (open.length > 0)
      void import('./lookUpDefaults').then(({ lookUpDefaults }) =>
        lookUpDefaults(definition, open, form, titles, { signal: controller.signal, ask }),
      );
    if (keep)
      void import('./keptValues').then(({ takeKeptValues }) =>
        takeKeptValues(definition, keep, form, titles, { signal: controller.signal, ask, person }),
      );
    return () => controller.abort();
    // oxlint-disable-next-line react/exhaustive-deps -- a form begins once
  }, []);
}

/** The computed values that conditions may rely on while the form is filled in: what is not known is left to the server. */
function derivedValues(
  { fields }: Definition,
  storedRecord: ResourceRecord | undefined,
  computedValues: ResourceRecord,
): ResourceRecord {
  const names = Object.keys(fields).filter((name) => fieldOf({ fields }, name).computed !== undefined);
  const entries = names.map((name): [string, unknown] => {
    const kind = computedKind(fieldOf({ fields }, name));
    const isOfOthers =
      kind === 'rollup' ? rollupOf(fieldOf({ fields }, name)).rows === undefined : kind !== 'expression';
    return [name, name in computedValues ? computedValues[name] : isOfOthers ? storedRecord?.[name] : undefined];
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== null));
}

const noNames: readonly string[] = [];
const noFields: readonly Field[] = [];

function withoutPlaces(errors: FieldErrors, names: readonly string[]): FieldErrors {
  return Object.fromEntries(Object.entries(errors).filter(([path]) => !names.includes(fieldOfPlace(path))));
}

function omitNames(messages: Readonly<Record<string, string>>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(messages).filter(([name]) => !names.includes(name)));
}
