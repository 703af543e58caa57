import { isPermissions } from '../../engine/field-types/permissions';
import { isRelation, pinNames } from '../../engine/field-types/relation';
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { Definition, Field, FieldOf, ResourceRecord } from '../../engine/definitions/definition';
import { fieldTypeOf } from '../../engine/field-types';
import { validateForm } from '../../engine/forms/validate-form';
import { fieldOfPlace, isRows } from '../../engine/field-types/rows';
import { isComparedText } from '../../engine/field-types/text';
import { narrowingFields } from '../../engine/forms/similar-records';
import { isFileField } from '../../engine/field-types/stored-files';
import { fieldStates } from '../../engine/forms/field-states';
import { isSameValue } from '../../engine/forms/form-values';
import { createsRecord, type FormMode } from '../../engine/forms/form-fields';
import type { FieldErrors } from '../../engine/validation/validate-values';
import { useDefinitions } from '../data/DefinitionsContext';
import { inputOf } from '../fields/inputs';
import { useOwnerDocument } from '../layout/FramedContext';
import { useApi } from '../session/apiClient';
import { labelNote } from './labelNote';
import { fieldChoices } from './fieldChoices';
import { rowChoices } from './rowChoices';
import { focusField } from './focusField';
import type { FieldContextValue, FormContextValue, PinnedTarget } from './FormContext';
import { formValidator } from './formValidator';
import { useClearDependents } from './useClearDependents';
import { useFormModel } from './useFormModel';
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
  useEffect(() => {
    // Looked up among the records of a relation.
    const open = createsRecord(mode)
      ? fields.filter((field) => isRelation(field) && field.default instanceof Object && !form.current()[field.name])
      : [];
    const controller = new AbortController();
    if (open.length > 0)
      void import('./lookUpDefaults').then(({ lookUpDefaults }) =>
        lookUpDefaults(definition, open, form, titles, { signal: controller.signal, ask }),
      );
    return () => controller.abort();
    // oxlint-disable-next-line react/exhaustive-deps -- a form begins once
  }, []);
  const [attempted, setAttempted] = useState(false);
  const [refusals, setRefusals] = useState<FieldErrors>({});
  const [problems, setProblems] = useState<FieldErrors>({});
  const [pending, setPending] = useState<FieldErrors>({});
  const [notes, setNotes] = useState<Readonly<Record<string, string>>>({});
  const [focus, setFocus] = useState(0);

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
  const reporter = (set: typeof setProblems) => (name: string) => (message: string | undefined) =>
    set((previous) => {
      if (previous[name] === message) return previous;
      return message === undefined ? omitNames(previous, [name]) : { ...previous, [name]: message };
    });
  const problem = reporter(setProblems);

  const fieldContext = (field: Field): FieldContextValue => {
    const start = definition.fields[field.notBefore ?? ''];
    const earlierField = definition.fields[field.laterThan ?? ''];
    const state = states[field.name] ?? hidden;
    // A field with buttons of its own is changed by them.
    const isLocked = state.readOnly && !access.readOnly && inputOf(field).actsAtOnce !== true;
    return {
      state,
      isLocked,
      error: errors[field.name] ?? firstCellError(field, errors),
      note: notes[field.name],
      ...(field.pin && { pinnedTarget: pinnedTarget(field, form, state.readOnly ? undefined : change) }),
      ...(!state.readOnly && comparedText(definition, field, form)),
      ...(field.suggestedFrom &&
        !storedRecord &&
        !state.readOnly && {
          continued: {
            definition,
            field,
            isEmpty: (form.values[field.name] ?? '') === '',
            day: form.values[field.dateField!],
            inputId: `${idPrefix}_${field.name}`,
            onTake: (time: string) => change({ ...form.current(), [field.name]: time }),
          },
        }),
      sideNote: labelNote(definition, field, form.values, titles, { readOnly: state.readOnly, isLocked }),
      input: {
        choices: fieldChoices(definition, registry, field, form.values, titles, {
          ask,
          person: actor.id,
          evaluationContext: {
            ...evaluationContext,
            record: storedRecord && form.record,
            related: relatedResults,
            derived: conditionValues,
          },
        }),
        ...(start && { notBefore: { value: form.values[start.name], label: start.label.toLowerCase() } }),
        ...(earlierField && {
          earlierTime: {
            value: form.values[earlierField.name],
            label: earlierField.label,
            day: earlierField.dateField === undefined ? '' : String(form.values[earlierField.dateField] ?? ''),
          },
        }),
        ...besideValues(field, form.values),
        storedValue: form.startValues[field.name],
        ...limitOf(field, definition, form.values),
        ...(isRows(field) && {
          columnChoices: (column: Field) =>
            rowChoices(definition, registry, field, column, { record: form.record, values: form.values, ask }),
          cellErrors: cellErrorsOf(field, errors),
        }),
        ...(storedRecord &&
          access.fields.has(field.name) && { owner: { resource: definition.name, id: String(storedRecord.id) } }),
        recordInForm: { definition, states, form, change },
        ...(isFileField(field) && { resource: resourceOf?.(field) ?? definition.name }),
        onPending: reporter(setPending)(field.name),
        onProblem: problem(field.name),
      },
    };
  };
  const { readOnly } = access;
  // The fields of a new record, or in a request those that it adds to the record, begin with values.
  const isBegun = (field: Field) =>
    access.fields.has(field.name) && (createsRecord(mode) || resourceOf?.(field) !== undefined);
  const shape: FormContextValue = {
    readOnly,
    first: readOnly ? undefined : fields.find(isBegun)?.name,
    fieldContext,
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
    restart: (record: ResourceRecord, keptValues?: ResourceRecord) => {
      form.restart(record, keptValues);
      setAttempted(false);
      setRefusals({});
      setNotes({});
    },
  };
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

/** The target of a relation that has changed since; undefined if it has not, or if another one is chosen. */
function pinnedTarget(
  field: FieldOf<'relation'>,
  { record, startValues, values, current }: FormValues,
  change: ((values: ResourceRecord) => void) | undefined,
): PinnedTarget | undefined {
  const { pin, latest, changed: changedName } = pinNames(field.name);
  if (record[changedName] !== true || !isSameValue(startValues[field.name], values[field.name])) return undefined;
  return {
    field,
    target: String(values[field.name]),
    pin: String(record[pin]),
    latest: String(record[latest]),
    isTaken: values[pin] !== undefined,
    ...(change && {
      onTake: (isTaken) => change({ ...current(), [pin]: isTaken ? record[latest] : undefined }),
    }),
  };
}

/** The text that is compared with other records, if it is not the stored one. */
function comparedText(definition: Definition, field: Field, form: FormValues): Pick<FieldContextValue, 'comparison'> {
  const text = form.values[field.name];
  if (!isComparedText(field) || typeof text !== 'string' || text === form.startValues[field.name]) return {};
  const scopeEntries = [
    ['record', form.record.id],
    ...narrowingFields(definition).map(({ name }) => [name, form.values[name]]),
  ];
  const scopeIds = Object.fromEntries(
    scopeEntries.filter(([, value]) => typeof value === 'number').map(([name, value]) => [name, String(value)]),
  );
  return { comparison: { definition, field, text, scopeIds } };
}

/** The values of the fields that this one is shown with; nothing for most types. */
function besideValues(field: Field, values: ResourceRecord): { siblingValues?: ResourceRecord } {
  const names = fieldTypeOf(field).shownWith?.(field) ?? noNames;
  return names.length === 0 ? {} : { siblingValues: Object.fromEntries(names.map((name) => [name, values[name]])) };
}

/** The record whose permissions limit those of a field. */
function limitOf(
  field: Field,
  { fields }: Definition,
  values: ResourceRecord,
): { limit?: { resource: string; id: string } } {
  if (!isPermissions(field) || field.limitedBy === undefined) return {};
  const limitField = fields[field.limitedBy];
  const id = values[field.limitedBy];
  return limitField && isRelation(limitField) && typeof id === 'number'
    ? { limit: { resource: limitField.to, id: String(id) } }
    : {};
}

const noNames: readonly string[] = [];
const hidden = { visible: false, required: false, readOnly: true };

/** The faults of a field's cells, by row and column: `[2].amount`. */
function cellErrorsOf({ name }: Field, errors: FieldErrors): FieldErrors {
  const cellErrors = Object.entries(errors).filter(([path]) => path.startsWith(`${name}[`));
  return Object.fromEntries(cellErrors.map(([path, message]) => [path.slice(name.length), message]));
}

/** The first fault in a cell with its row: shown at the field. */
function firstCellError(field: Field, errors: FieldErrors): string | undefined {
  const [first] = isRows(field) ? Object.entries(cellErrorsOf(field, errors)) : [];
  return first && `Row ${Number.parseInt(first[0].slice(1), 10) + 1}: ${first[1]}`;
}

function withoutPlaces(errors: FieldErrors, names: readonly string[]): FieldErrors {
  return Object.fromEntries(Object.entries(errors).filter(([path]) => !names.includes(fieldOfPlace(path))));
}

function omitNames(messages: Readonly<Record<string, string>>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(messages).filter(([name]) => !names.includes(name)));
}
