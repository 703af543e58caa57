import { audienceNames, isAmong } from '../access/audience';
import { joinNames } from '../formats/join-names';
import { evaluateOnValues } from '../conditions/match-values';
import { unwrapId, type EvaluationContext } from '../conditions/variables';
import type { Field, ResourceRecord, Transition } from '../definitions/definition';
import { isEmpty } from '../values/is-empty';
import { unavailableChoiceMessage } from './messages';
import { stateOf } from './state-of';
import { firstOf } from '../values/lookups';

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
  const storedId = storedValue(field, evaluationContext);
  const writtenId = unwrapId(values[field.name] ?? null);
  if (!field.transitions || storedId === writtenId) return {};
  const [oldState, newState] = [
    stateOf(field, storedId, evaluationContext),
    stateOf(field, writtenId, evaluationContext),
  ];
  if (oldState === undefined || newState === undefined) return {};
  if (evaluationContext.states?.[field.name]?.get(writtenId)?.isHidden)
    return { [field.name]: unavailableChoiceMessage(field) };
  return oldState === newState
    ? {}
    : changeErrors(fields, field, { from: oldState, to: newState }, values, evaluationContext);
}

/** Why a field may not change from one state to another. */
function changeErrors(
  fields: Readonly<Record<string, Field>>,
  field: Field,
  { from: oldState, to: newState }: StateChange,
  values: ResourceRecord,
  evaluationContext: EvaluationContext,
): Errors {
  if (oldState === null) {
    if (field.initial === undefined || newState === field.initial) return {};
    return { [field.name]: `${field.label} of a new record must be ${labelOf(field, field.initial)}.` };
  }
  const change = `${labelOf(field, oldState)} to ${labelOf(field, newState)}`;
  const possibleTransitions = (field.transitions ?? []).filter((transition) => leadsTo(transition, oldState, newState));
  if (possibleTransitions.length === 0)
    return { [field.name]: `${field.label} cannot change from ${change}. ${describeWays(field, oldState)}` };
  const open = possibleTransitions.filter((transition) => isForActor(transition, evaluationContext));
  if (open.length === 0) {
    const names = possibleTransitions.flatMap((transition) =>
      audienceNames(transition, evaluationContext.actor?.roles),
    );
    const audience = joinNames([...new Set(names)]);
    return { [field.name]: `You may not change ${field.label} from ${change}: this is for ${audience}.` };
  }
  const matchingTransitions = open.filter((transition) => isPossible(fields, transition, values, evaluationContext));
  if (matchingTransitions.length === 0) {
    const conditions = joinNames([...new Set(open.map(({ condition }) => condition ?? ''))], 'or');
    return { [field.name]: `${field.label} can change from ${change} only if ${conditions}.` };
  }
  const missingFields = matchingTransitions.map(({ requiredFields }) =>
    requiredFields.filter((name) => isEmpty(values[name])),
  );
  if (missingFields.some((names) => names.length === 0)) return {};
  return Object.fromEntries(
    firstOf(missingFields).map((name) => [
      name,
      `${fields[name]?.label ?? name} is required to change ${field.label} to ${labelOf(field, newState)}.`,
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
  const state = stateOf(field, storedValue(field, evaluationContext), evaluationContext);
  if (state === undefined) return undefined;
  if (state === null) return field.initial === undefined ? undefined : new Set([field.initial]);
  const open = field.transitions.filter(
    (transition) =>
      (transition.from as readonly unknown[]).includes(state) &&
      isForActor(transition, evaluationContext) &&
      isPossible(fields, transition, values, evaluationContext),
  );
  return new Set([state, ...open.flatMap(({ to: states }) => states)]);
}

/**
 * Whether a change of a field could be taken back by a change in the other direction; who may do that, and when, is not
 * looked at.
 *
 * @example canLeadBack(state, { from: 'draft', to: 'approved' }); // false, if nothing leads from 'approved' to 'draft'
 */
export function canLeadBack({ transitions }: Field, change: { readonly from: unknown; readonly to: unknown }): boolean {
  return !transitions || transitions.some((transition) => leadsTo(transition, change.to, change.from));
}

/** The states that a user can change a field to, and the reasons against those that others could choose. */
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
  const state = stateOf(field, storedValue(field, evaluationContext), evaluationContext);
  const open: string[] = [];
  const refusals: string[] = [];
  for (const target of statesAfter(field, state)) {
    // Conditions see the new value, except for one that refers to a record.
    const values = {
      ...evaluationContext.record,
      ...(field.to === undefined && { [field.name]: target }),
    };
    const { [field.name]: refusal, ...otherErrors } = changeErrors(
      fields,
      field,
      { from: state, to: target },
      values,
      evaluationContext,
    );
    const neededLabels = Object.keys(otherErrors).map((name) => fields[name]?.label ?? name);
    const label = labelOf(field, target);
    if (refusal !== undefined) refusals.push(refusal);
    else open.push(neededLabels.length > 0 ? `${label} (needs ${joinNames(neededLabels)})` : label);
  }
  return { from: labelOf(field, state), open, closed: refusals };
}

/** The states that a field can change to by anybody, in the order of its options. */
function statesAfter({ options, initial, transitions = [] }: Field, state: unknown): readonly unknown[] {
  const namedStates = transitions.flatMap((transition) => [...transition.from, ...transition.to]);
  const allStates = options?.map(({ value }) => value) ?? [...new Set(namedStates)];
  return allStates.filter((value) =>
    state === null
      ? initial === undefined || value === initial
      : transitions.some((transition) => leadsTo(transition, state, value)),
  );
}

function storedValue({ name }: Field, { record }: EvaluationContext): unknown {
  const value = unwrapId(record?.[name] ?? null);
  return value === '' ? null : value;
}

function leadsTo({ from: sources, to: targets }: Transition, oldState: unknown, newState: unknown): boolean {
  return (sources as readonly unknown[]).includes(oldState) && (targets as readonly unknown[]).includes(newState);
}

function isForActor(transition: Transition, { actor }: EvaluationContext): boolean {
  return actor ? isAmong(actor, transition) : !transition.levels && !transition.roles;
}

/** Whether the condition of a transition holds, as far as is known: the server decides about the rest. */
function isPossible(
  fields: Readonly<Record<string, Field>>,
  { where: condition }: Transition,
  values: ResourceRecord,
  evaluationContext: EvaluationContext,
): boolean {
  return !condition || evaluateOnValues(fields, condition, values, evaluationContext) !== false;
}

/** `From Requested it can become Approved or Refused.` */
function describeWays(field: Field, state: unknown): string {
  const leavingTransitions = (field.transitions ?? []).filter((transition) =>
    (transition.from as readonly unknown[]).includes(state),
  );
  const labels = [...new Set(leavingTransitions.flatMap(({ to: targets }) => targets))].map((value) =>
    labelOf(field, value),
  );
  const isNamed = (field.transitions ?? []).some(({ to: targets }) => (targets as readonly unknown[]).includes(state));
  if (field.to !== undefined && labels.length === 0 && !isNamed && state !== field.initial)
    return `No transition of ${field.label} names ${labelOf(field, state)}: it was perhaps renamed.`;
  if (labels.length === 0) return `${labelOf(field, state)} is final.`;
  return `From ${labelOf(field, state)} it can become ${joinNames(labels, 'or')}.`;
}

function labelOf(field: Field, value: unknown): string {
  if (value === null || value === '') return 'nothing';
  return field.options?.find((option) => option.value === value)?.label ?? String(value);
}
