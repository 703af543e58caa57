import type { Definition, Field, FieldOf, ResourceRecord } from '../../engine/definitions/definition';
import type { EvaluationContext } from '../../engine/conditions/variables';
import { fieldTypeOf } from '../../engine/field-types/index';
import { isPermissions } from '../../engine/field-types/permissions';
import { isRelation, pinNames } from '../../engine/field-types/relation';
import { isRows, rowsIn } from '../../engine/field-types/rows';
import { isFileField } from '../../engine/field-types/stored-files';
import { isComparedText } from '../../engine/field-types/text';
import { isSameValue } from '../../engine/forms/form-values';
import { narrowingFields } from '../../engine/forms/similar-records';
import type { fieldStates } from '../../engine/forms/field-states';
import type { FieldErrors } from '../../engine/validation/validate-values';
import { requireValue } from '../../engine/values/lookups';
import type { Definitions } from '../data/DefinitionsContext';
import { inputOf } from '../fields/inputs';
import type { ApiClient } from '../session/apiClient';
import { fieldChoices, parentTitle } from './fieldChoices';
import type { FieldContextValue, PinnedTarget } from './FormContext';
import type { FormModel } from './useFormModel';
import type { useFormTitles, FormTitles } from './useFormTitles';
import type { FormValues } from './useFormValues';
import type { Registry } from '../../engine/registry/registry';
import { embedsOf, recordTitleOf } from '../chips/titleOf';
import type { ChoiceSource } from '../fields/choices/choice';
import { loadChoices, optionSource } from '../fields/choices/loadChoices';

/** Length limits below this are worth mentioning. */
const shortTextLength = 20;

/** The note at the end of a field's label: what limits its value, or that it is computed or cannot be changed while others can. */
function labelNote(
  definition: Definition,
  field: Field,
  values: ResourceRecord,
  titles: FormTitles,
  { readOnly, isLocked }: { readOnly: boolean; isLocked: boolean },
): string | undefined {
  if (isLocked) return field.computed === undefined ? 'cannot be changed' : 'computed';
  const parent = parentTitle(definition, field, values, titles);
  if (parent) return `in ${parent}`;
  if (readOnly) return undefined;
  const start = field.notBefore === undefined ? undefined : definition.fields[field.notBefore];
  if (start) return `after the ${start.label.toLowerCase()}`;
  if (field.min !== undefined && field.max !== undefined) {
    return `${field.min} to ${field.max}`;
  }
  if (field.maxLength !== undefined && field.maxLength < shortTextLength)
    return `${field.maxLength} characters at most`;
  return undefined;
}

/** The state of a form, as far as a field depends on it. */
interface FormState extends Definitions {
  readonly model: FormModel;
  readonly form: FormValues;
  readonly titles: ReturnType<typeof useFormTitles>;
  /** With the stored record, and what follows from the values of the form. */
  readonly evaluationContext: EvaluationContext;
  /** Undefined for a new record. */
  readonly storedRecord: ResourceRecord | undefined;
  readonly states: ReturnType<typeof fieldStates>;
  readonly errors: FieldErrors;
  readonly notes: Readonly<Record<string, string>>;
  readonly idPrefix: string;
  readonly ask: ApiClient;
  /** The resource of a field that is of another record. */
  readonly resourceOf: ((field: Field) => string | undefined) | undefined;
  change(values: ResourceRecord): void;
  /** Reporters of what keeps the form from being saved: an input that is not done, and one whose text is no value. */
  onPending(name: string): (message: string | undefined) => void;
  onProblem(name: string): (message: string | undefined) => void;
}

/** The state of a field of a form, and what its input needs. */
export function fieldContextOf(field: Field, formState: FormState): FieldContextValue {
  const { registry, actor, model, form, titles, evaluationContext, storedRecord, states, errors, notes } = formState;
  const { idPrefix, ask, resourceOf, change, onPending, onProblem } = formState;
  const { definition, access } = model;
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
          day: form.values[requireValue(field.dateField, `dateField of ${field.name}`)],
          inputId: `${idPrefix}_${field.name}`,
          onTake: (time: string) => change({ ...form.current(), [field.name]: time }),
        },
      }),
    sideNote: labelNote(definition, field, form.values, titles, { readOnly: state.readOnly, isLocked }),
    input: {
      choices: fieldChoices(definition, registry, field, form.values, titles, {
        ask,
        person: actor.id,
        evaluationContext,
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
      onPending: onPending(field.name),
      onProblem: onProblem(field.name),
    },
  };
}

const hidden = { visible: false, required: false, readOnly: true };
const noNames: readonly string[] = [];

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

/** The choices of a column of rows: those of the record's company. Titles of stored rows are known. */
function rowChoices(
  definition: Definition,
  registry: Registry,
  field: FieldOf<'rows'>,
  column: Field,
  { record, values, ask }: { record: ResourceRecord; values: ResourceRecord; ask: ApiClient },
): ChoiceSource | undefined {
  if (column.options) return optionSource(column.options);
  if (column.to === undefined) return undefined;
  const target = registry.get(column.to);
  const site = values.site_id === undefined || values.site_id === null ? {} : { site_id: values.site_id };
  const query = { resource: definition.name, field: `${field.name}.${column.name}`, parents: site };
  const embeds = rowsIn(record[field.name]).flatMap((row) => embedsOf(column, row));
  return {
    key: [definition.name, query.field, site],
    load: (text, signal) => loadChoices({ ...query, text }, signal, ask),
    find: (ids, signal) => loadChoices({ ...query, ids }, signal, ask),
    knownChoices: [...new Map(embeds.map((embed) => [embed.id, embed])).values()].map((embed) => ({
      id: embed.id as number,
      title: recordTitleOf(target, embed),
    })),
    target,
  };
}
