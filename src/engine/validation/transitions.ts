import { audienceNames, isAmong } from '../access/audience';
import { joinNames } from '../access/join-names';
import { evaluateOnValues } from '../conditions/match-values';
import { idOf, type EvaluationContext } from '../conditions/variables';
import type { Field, ResourceRecord, Transition } from '../definitions/definition';
import { isEmpty } from './is-empty';
import { unavailableChoiceMessage } from './messages';
import { stateOf } from './state-of';

/** Field name → error message. */
type Errors = Record<string, string>;

/**
 * Why a field with transitions may not change to its new value: at the field itself, or at the fields that a transition
 * needs. Empty if it may, and if the evaluation context does not tell which state a related record is: the server's does.
 * The stored record is that of the evaluation context; without one, the record is new.
 */
export function transitionErrors(
  fields: Readonly<Record<string, Field>>,
  field: Field,
  values: ResourceRecord,
  evaluationContext: EvaluationContext,
): Errors {
  const stored = storedValue(field, evaluationContext);
  const written = idOf(values[field.name] ?? null);
  if (!field.transitions || stored === written) return {};
  const [from, to] = [stateOf(field, stored, evaluationContext), stateOf(field, written, evaluationContext)];
  if (from === undefined || to === undefined) return {};
  if (evaluationContext.states?.[field.name]?.get(written)?.isHidden)
    return { [field.name]: unavailableChoiceMessage(field) };
  return from === to ? {} : changeErrors(fields, field, { from, to }, values, evaluationContext);
}

/** Why a field may not change from one state to another. */
function changeErrors(
  fields: Readonly<Record<string, Field>>,
  field: Field,
  { from, to }: StateChange,
  values: ResourceRecord,
  evaluationContext: EvaluationContext,
): Errors {
  if (from === null) {
    if (field.initial === undefined || to === field.initial) return {};
    return { [field.name]: `${field.label} of a new record must be ${labelOf(field, field.initial)}.` };
  }
  const change = `${labelOf(field, from)} to ${labelOf(field, to)}`;
  const known = (field.transitions ?? []).filter((one) => leads(one, from, to));
  if (known.length === 0)
    return { [field.name]: `${field.label} cannot change from ${change}. ${describeWays(field, from)}` };
  const open = known.filter((one) => isForActor(one, evaluationContext));
  if (open.length === 0) {
    const names = known.flatMap((one) => audienceNames(one, evaluationContext.actor?.roles));
    const who = joinNames([...new Set(names)]);
    return { [field.name]: `You may not change ${field.label} from ${change}: this is for ${who}.` };
  }
  const possible = open.filter((one) => isPossible(fields, one, values, evaluationContext));
  if (possible.length === 0) {
    const conditions = joinNames([...new Set(open.map(({ condition }) => condition ?? ''))], 'or');
    return { [field.name]: `${field.label} can change from ${change} only if ${conditions}.` };
  }
  const lacking = possible.map(({ requiredFields }) => requiredFields.filter((name) => isEmpty(values[name])));
  if (lacking.some((names) => names.length === 0)) return {};
  return Object.fromEntries(
    lacking[0]!.map((name) => [
      name,
      `${fields[name]?.label ?? name} is required to change ${field.label} to ${labelOf(field, to)}.`,
    ]),
  );
}

interface StateChange {
  readonly from: unknown;
  readonly to: unknown;
}

/**
 * The states that a field can have next, for its user: the stored one, and those that it can change to. Undefined if any,
 * or if the context does not tell.
 *
 * @example reachableStates(fields, state, { state: 'draft' }, evaluationContext); // Set { 'draft', 'approved' }
 */
export function reachableStates(
  fields: Readonly<Record<string, Field>>,
  field: Field,
  values: ResourceRecord,
  evaluationContext: EvaluationContext,
): ReadonlySet<unknown> | undefined {
  if (!field.transitions) return undefined;
  const from = stateOf(field, storedValue(field, evaluationContext), evaluationContext);
  if (from === undefined) return undefined;
  if (from === null) return field.initial === undefined ? undefined : new Set([field.initial]);
  const open = field.transitions.filter(
    (one) =>
      (one.from as readonly unknown[]).includes(from) &&
      isForActor(one, evaluationContext) &&
      isPossible(fields, one, values, evaluationContext),
  );
  return new Set([from, ...open.flatMap(({ to }) => to)]);
}

/**
 * Whether a change of a field could be taken back by a change in the other direction; who may do that, and when, is not
 * looked at.
 *
 * @example canLeadBack(state, { from: 'draft', to: 'approved' }); // false, if nothing leads from 'approved' to 'draft'
 */
export function canLeadBack({ transitions }: Field, change: { readonly from: unknown; readonly to: unknown }): boolean {
  return !transitions || transitions.some((one) => leads(one, change.to, change.from));
}

/** What somebody can change a field with transitions to, and why not to what others could. */
export interface TransitionChoices {
  /** The label of the stored value. */
  readonly from: string;
  /** The labels of the values that it can change to, with what that needs. */
  readonly open: readonly string[];
  /** Why it cannot change to others that transitions lead to: sentences. */
  readonly closed: readonly string[];
}

/**
 * The changes of a field of the stored record, as somebody could make them now.
 *
 * @example transitionChoices(fields, state, { ...evaluationContext, record }).open; // ['Refused (needs Reason)']
 */
export function transitionChoices(
  fields: Readonly<Record<string, Field>>,
  field: Field,
  evaluationContext: EvaluationContext & { readonly record: ResourceRecord },
): TransitionChoices {
  const from = stateOf(field, storedValue(field, evaluationContext), evaluationContext);
  const open: string[] = [];
  const closed: string[] = [];
  for (const to of statesAfter(field, from)) {
    // Conditions see the new value, except for one that refers to a record.
    const values = {
      ...evaluationContext.record,
      ...(field.to === undefined && { [field.name]: to }),
    };
    const { [field.name]: refusal, ...others } = changeErrors(fields, field, { from, to }, values, evaluationContext);
    const needs = Object.keys(others).map((name) => fields[name]?.label ?? name);
    const label = labelOf(field, to);
    if (refusal !== undefined) closed.push(refusal);
    else open.push(needs.length > 0 ? `${label} (needs ${joinNames(needs)})` : label);
  }
  return { from: labelOf(field, from), open, closed };
}

/** The states that a field can change to by anybody, in the order of its options. */
function statesAfter({ options, initial, transitions = [] }: Field, from: unknown): readonly unknown[] {
  const named = transitions.flatMap((one) => [...one.from, ...one.to]);
  const all = options?.map(({ value }) => value) ?? [...new Set(named)];
  return all.filter((value) =>
    from === null ? initial === undefined || value === initial : transitions.some((one) => leads(one, from, value)),
  );
}

function storedValue({ name }: Field, { record }: EvaluationContext): unknown {
  const value = idOf(record?.[name] ?? null);
  return value === '' ? null : value;
}

function leads({ from, to }: Transition, one: unknown, other: unknown): boolean {
  return (from as readonly unknown[]).includes(one) && (to as readonly unknown[]).includes(other);
}

function isForActor(transition: Transition, { actor }: EvaluationContext): boolean {
  return actor ? isAmong(actor, transition) : !transition.levels && !transition.roles;
}

/** Whether the condition of a transition holds, as far as is known: the server decides about the rest. */
function isPossible(
  fields: Readonly<Record<string, Field>>,
  { where }: Transition,
  values: ResourceRecord,
  evaluationContext: EvaluationContext,
): boolean {
  return !where || evaluateOnValues(fields, where, values, evaluationContext) !== false;
}

/** `From Requested it can become Approved or Refused.` */
function describeWays(field: Field, from: unknown): string {
  const ways = (field.transitions ?? []).filter((one) => (one.from as readonly unknown[]).includes(from));
  const labels = [...new Set(ways.flatMap(({ to }) => to))].map((value) => labelOf(field, value));
  const isNamed = (field.transitions ?? []).some(({ to }) => (to as readonly unknown[]).includes(from));
  if (field.to !== undefined && labels.length === 0 && !isNamed && from !== field.initial)
    return `No transition of ${field.label} names ${labelOf(field, from)}: it was perhaps renamed.`;
  if (labels.length === 0) return `${labelOf(field, from)} is final.`;
  return `From ${labelOf(field, from)} it can become ${joinNames(labels, 'or')}.`;
}

function labelOf(field: Field, value: unknown): string {
  if (value === null || value === '') return 'nothing';
  return field.options?.find((option) => option.value === value)?.label ?? String(value);
}
