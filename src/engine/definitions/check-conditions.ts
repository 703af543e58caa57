import { ConditionError, isVariable, parseCondition, type Predicate } from '../conditions/grammar';
import { parseRelativeTime, relativeTimeForms } from '../conditions/relative-time';
import { computedKind } from '../expressions/computed-kind';
import { fieldTypeOf, type FieldType } from '../field-types';
import { parseInstant } from '../field-types/datetime';
import { isAnyRelation, isRelation, treeParent } from '../field-types/relation';
import { isRelations } from '../field-types/relations';
import { isRows } from '../field-types/rows';
import { presentValue } from '../field-types/former-values';
import { isDate } from '../formats/dates';
import type { AnyRelationField, Condition, Definition, Field } from './definition';
import { unknownNameMessage } from './problems';
import { rowDefinition } from './row-definition';
import { reportProblem, resolveReadableField, type CheckSubject } from './check-context';
import { isEmbedded } from './path-fields';

/** Where a condition is used, and what its names refer to there. */
export interface ConditionPlace {
  /** The definition that the keys are fields of. Default: the checked definition. */
  readonly definition?: Definition;
  /** Keys can also be parameters of that definition. */
  readonly parameters?: boolean;
  /** Names after `$form.` Default: the examined definition's fields. */
  readonly form?: readonly string[];
  /** `$value`, `$from` and `$to` have a meaning. */
  readonly value?: boolean;
  /**
   * The condition is evaluated on a single record. `form`: on typed and stored values, in the browser and on the server,
   * which load the records that it refers to. `screen`: on a record as returned by the API, including its embeds and the
   * counts of related records, in the browser only. `row`: on the values of one row alone.
   */
  readonly withoutRelated?: 'form' | 'screen' | 'row';
  /** It is evaluated by the database on stored rows: nothing is typed. */
  readonly onStoredRows?: true;
  /** Values that are about to be stored: computed fields are known of them, but not of the stored record. */
  readonly onWrittenValues?: true;
  /** It is part of an expression or rollup: computed fields of the record are known, `$record` and `$form` are not. */
  readonly inExpression?: true;
}

const actorNames = ['id', 'level', 'role', 'role_id', 'site_id', 'lists'];

/** Checks a condition: that it is of the grammar, and that every name in it means something. */
export function checkCondition(
  subject: CheckSubject,
  path: string,
  condition: Condition | undefined,
  place: ConditionPlace = {},
): void {
  if (condition === undefined) return;
  let predicate: Predicate;
  try {
    predicate = parseCondition(condition);
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
    return reportProblem(subject, path + error.path, error.message);
  }
  checkPredicate(subject, path, predicate, place, place.definition ?? subject.definition);
}

function checkPredicate(
  subject: CheckSubject,
  path: string,
  predicate: Predicate,
  place: ConditionPlace,
  of: Definition,
): void {
  switch (predicate.kind) {
    case 'all':
    case 'any':
      return predicate.of.forEach((one) => checkPredicate(subject, path, one, place, of));
    case 'not':
      return checkPredicate(subject, path, predicate.of, place, of);
    case 'some':
      return checkSome(subject, path, predicate, place, of);
    case 'compare':
      return checkComparison(subject, path, predicate, place, of);
  }
}

function checkSome(
  subject: CheckSubject,
  path: string,
  predicate: SomePredicate,
  place: ConditionPlace,
  of: Definition,
): void {
  const field = resolveReadableField(subject, path, predicate.field, of);
  if (!field) return;
  if (isRows(field)) return checkSomeRow(subject, path, predicate, place, rowDefinition(of, field));
  const resource = field.to ?? field.inverse?.resource;
  if (resource === undefined) {
    return reportProblem(
      subject,
      path,
      `A path or $some needs a field with related records, but "${field.name}" is of type ${field.type}.`,
    );
  }
  const target = subject.registry.get(resource);
  if (!target) return;
  if (place.withoutRelated === 'row') {
    return reportProblem(subject, path, `A path or $some reads related records, ${unavailable(place)}`);
  }
  if (predicate.of.kind === 'compare' && predicate.of.operator === '$below') {
    const problem = belowProblem(field, target, place);
    if (problem !== undefined) return reportProblem(subject, path, problem);
  }
  if (place.withoutRelated === 'screen') return checkEmbedded(subject, path, predicate, place, field, target);
  if (place.withoutRelated === 'form' && !isStoredRelation(field)) {
    return reportProblem(
      subject,
      path,
      `A form knows the records that this one refers to, but not those of "${field.name}". Use a relation of this record, or compare a rollup that counts them.`,
    );
  }
  const { withoutRelated: _withoutRelated, onWrittenValues: _onWrittenValues, ...related } = place;
  checkPredicate(subject, path, predicate.of, related, target);
}

/** Why a condition on one row reads nothing else, and what to do instead. */
function unavailable({ inExpression }: ConditionPlace): string {
  return inExpression
    ? 'which are not available where values are computed while they are typed. Compare a field of type lookup or rollup that takes the value, or a field of this record.'
    : 'which an index of the database does not have. Compare a field of this record instead, or a relation with an id.';
}

/** Why `$below` cannot be used on a field; undefined if it can. */
function belowProblem(field: Field, target: Definition, { withoutRelated }: ConditionPlace): string | undefined {
  if (withoutRelated === 'screen')
    return `Records of lists and forms don't contain what is above "${field.name}". Compare "${field.name}" with an id.`;
  if (!isAnyRelation(field) || !treeParent(target))
    return `$below needs a relation to records that are a tree, but ${target.labels.many} have no relation to themselves.`;
  return undefined;
}

/** Rows are part of the record: forms and the server have them, lists only count them. */
function checkSomeRow(
  subject: CheckSubject,
  path: string,
  { field, of }: SomePredicate,
  place: ConditionPlace,
  rows: Definition,
): void {
  if (place.withoutRelated === 'row') {
    return reportProblem(subject, path, `A path or $some reads rows, ${unavailable(place)}`);
  }
  if (place.withoutRelated === 'screen' && !(of.kind === 'all' && of.of.length === 0)) {
    return reportProblem(
      subject,
      path,
      `Records of lists only have the number of "${field}". Test whether there is a row ({"$some": {}}).`,
    );
  }
  checkPredicate(subject, path, of, place, rows);
}

type SomePredicate = Extract<Predicate, { kind: 'some' }>;

const isStoredRelation = (field: Field) => isAnyRelation(field) && !field.virtual && field.computed === undefined;

/** A condition on records as returned by the API: only what their embeds contain can be tested. */
function checkEmbedded(
  subject: CheckSubject,
  path: string,
  { of }: SomePredicate,
  place: ConditionPlace,
  field: Field,
  target: Definition,
): void {
  // A count is enough to tell whether there is any related record.
  if (of.kind === 'all' && of.of.length === 0) return;
  const names = comparedNames(of);
  if (!isAnyRelation(field) || names === undefined) {
    return reportProblem(
      subject,
      path,
      `Records of lists and forms don't contain what this tests in "${field.name}". Test whether there is a related record ({"$some": {}}), or a field of a relation's embed.`,
    );
  }
  checkPredicate(subject, path, of, place, target);
  const missing = names.find((name) => Object.hasOwn(target.fields, name) && !isEmbedded(field, target, name));
  if (missing === undefined && isEmbeddedInLists(field)) return;
  const remedy =
    missing !== undefined && isEmbeddedInLists(field)
      ? `add "${missing}" to embedFields of ${field.name}`
      : `give ${field.name} an "embed"${isRelations(field) ? ' and "inLists": "records"' : ''}${missing === undefined ? '' : ` with "${missing}" among its embedFields`}`;
  reportProblem(subject, path, `Records of lists and forms don't contain this field of "${field.name}": ${remedy}.`);
}

function isEmbeddedInLists(field: AnyRelationField): boolean {
  return field.embed !== undefined && (isRelation(field) || field.inLists === 'records');
}

/** The fields that a predicate compares; undefined if it also tests records related to these. */
function comparedNames(predicate: Predicate): readonly string[] | undefined {
  if (predicate.kind === 'compare') return predicate.left.startsWith('$') ? [] : [predicate.left];
  if (predicate.kind === 'some') return undefined;
  if (predicate.kind === 'not') return comparedNames(predicate.of);
  const names = predicate.of.map(comparedNames);
  return names.includes(undefined) ? undefined : names.flatMap((some) => some ?? []);
}

function checkComparison(
  subject: CheckSubject,
  path: string,
  predicate: Extract<Predicate, { kind: 'compare' }>,
  place: ConditionPlace,
  of: Definition,
): void {
  const { left, right } = predicate;
  for (const one of Array.isArray(right) ? (right as unknown[]) : [right]) {
    if (typeof one === 'string' && one.startsWith('$')) checkVariable(subject, path, one, place);
  }
  if (left.startsWith('$')) return checkVariable(subject, path, left, place);
  if (place.parameters && !Object.hasOwn(of.fields, left) && Object.hasOwn(of.parameters, left)) return;
  const field = resolveReadableField(subject, path, left, of);
  if (field?.inverse && place.onWrittenValues) {
    return reportProblem(
      subject,
      path,
      `"${left}" lists other records, which are not among the values that are stored. Test them with {"${left}": {"$some": …}}, or compare a rollup that counts them.`,
    );
  }
  if (field?.inverse && (place.withoutRelated === 'form' || place.withoutRelated === 'row')) {
    return reportProblem(
      subject,
      path,
      `"${left}" lists other records, which are not available here. Compare a field of this record.`,
    );
  }
  if (field && place.withoutRelated === 'row' && !place.inExpression && isDerived(field)) {
    return reportProblem(
      subject,
      path,
      `"${left}" is computed when it is read, and an index has only what is stored. Compare the fields that it is computed from.`,
    );
  }
  if (field) checkOperand(subject, path, field, predicate);
}

/** Whether a field is computed by an expression, or from other records. */
function isDerived(field: Field): boolean {
  const kind = computedKind(field);
  return kind !== undefined && kind !== 'condition' && kind !== 'template';
}

function checkVariable(subject: CheckSubject, path: string, variable: string, place: ConditionPlace): void {
  if (parseRelativeTime(variable)) return;
  const [root, name, ...further] = variable.slice(1).split('.') as [string, string | undefined];
  if (!isVariable(variable)) {
    const roots = ['$actor', '$record', '$form', '$today', '$now'];
    return reportProblem(subject, path, unknownNameMessage('variable', variable, roots));
  }
  if (further.length > 0) return reportProblem(subject, path, tooLongMessage(variable));
  if (variable === '$today' || variable === '$now') return;
  if (/^(today|now)\b/.test(root)) {
    return reportProblem(subject, path, `"${variable}" is no day or time. Write ${relativeTimeForms}.`);
  }
  if (root === 'value' || root === 'from' || root === 'to') {
    if (!place.value) reportProblem(subject, path, `${variable} can be used only in parameters.`);
    return;
  }
  if (place.inExpression && (root === 'record' || root === 'form')) {
    return reportProblem(
      subject,
      path,
      `A condition in an expression or rollup cannot compare with ${variable}. Compare two fields by an expression: {"$eq": ["$record.a", "$record.b"]}.`,
    );
  }
  if (place.onStoredRows && (root === 'record' || root === 'form')) {
    if (name !== undefined && !resolveReadableField(subject, path, name)) return;
    return reportProblem(
      subject,
      path,
      `${variable} has no value here, where stored records are compared. Compare two fields by a computed one: {"type": "boolean", "computed": {"$lte": ["$record.a", "$record.b"]}}.`,
    );
  }
  if (name === undefined) return reportProblem(subject, path, `${variable} needs a property, such as ${variable}.id.`);
  if (root === 'actor') {
    // The sign-in response contains counts whose names begin with "total": the browser has them, but the engine does
    // not know their names.
    const known = actorNames.includes(name) || (place.withoutRelated === 'screen' && name.startsWith('total'));
    if (!known) reportProblem(subject, path, unknownNameMessage('property of $actor', name, actorNames));
  } else if (root === 'form' && place.form) {
    if (!place.form.includes(name)) reportProblem(subject, path, unknownNameMessage('name', name, place.form));
  } else {
    const field = resolveReadableField(subject, path, name);
    const isKnown = place.withoutRelated === 'screen' || (root === 'form' && place.onWrittenValues);
    if (field && computedKind(field) !== undefined && !isKnown)
      reportProblem(
        subject,
        path,
        `"${variable}" is computed, so it is not known where records are compared as they are stored. Compare with the fields that it is computed from.`,
      );
  }
}

/** What to write instead of a variable that leads through a relation. */
function tooLongMessage(variable: string): string {
  const short = variable.split('.', 2).join('.');
  return `"${variable}" has more than one property, and only "${short}" would count. Compare from the other side, with {"$some": …} through the relation.`;
}

function checkOperand(
  subject: CheckSubject,
  path: string,
  field: Field,
  predicate: Extract<Predicate, { kind: 'compare' }>,
): void {
  for (const message of operandProblems(field, predicate)) reportProblem(subject, path, message);
}

/** How to write what a field with days or instants is compared with; undefined if that is written so. */
function timeRemedy(holds: FieldType['holds'], value: unknown): string | undefined {
  if (typeof value !== 'string' || isDate(value)) return undefined;
  if (holds === 'day') return 'write a day as 2026-01-31';
  if (holds !== 'instant' || parseInstant(value) !== undefined) return undefined;
  return 'write a time as 2026-01-31T14:30:00Z, or a day as 2026-01-31';
}

/**
 * Why a value of a definition is a former one of an option, which no record has any more; undefined if it is none.
 *
 * @example formerValueProblem(state, 'in_work'); // '"in_work" of "state" is called "working" now: write that.'
 */
export function formerValueProblem(field: Field, value: unknown): string | undefined {
  const present = presentValue(field, value);
  const isFormer = JSON.stringify(present) !== JSON.stringify(value);
  if (!isFormer) return undefined;
  return `${JSON.stringify(value)} of "${field.name}" is called ${JSON.stringify(present)} now: write that.`;
}

/**
 * Why a comparison can never be true: a number field with text, or a select with a value it does not offer. Empty if it
 * can.
 *
 * @example operandProblems(amount, { kind: 'compare', left: 'amount', operator: '$gt', right: 'much' }).length; // 1
 */
export function operandProblems(field: Field, predicate: Extract<Predicate, { kind: 'compare' }>): readonly string[] {
  if (computedKind(field) === 'condition') return [];
  const type = fieldTypeOf(field);
  if (type.onlyPresence) {
    if (predicate.right === null) return [];
    return [`"${field.name}" is of type ${field.type}: a condition can only test whether it exists.`];
  }
  const whole = type.schema(field);
  const schema = (field.multiple && whole.items) || whole;
  // Related records are compared by their ids.
  const wanted = field.countName === undefined ? schema.type : 'integer';
  const values = Array.isArray(predicate.right) ? (predicate.right as unknown[]) : [predicate.right];
  return values.flatMap((one) => {
    if (one === null || (typeof one === 'string' && one.startsWith('$'))) return [];
    const given = typeof one;
    const fits = wanted === undefined || given === (wanted === 'integer' ? 'number' : wanted);
    const offered = !schema.enum || predicate.operator === '$contains' || schema.enum.includes(one as string);
    const remedy = fits && predicate.operator !== '$contains' ? timeRemedy(type.holds, one) : undefined;
    if (fits && offered && remedy === undefined) return [];
    const former = formerValueProblem(field, one);
    if (former !== undefined) return [former];
    return [`"${field.name}" can never be ${JSON.stringify(one)}: ${remedy ?? `it is of type ${field.type}`}.`];
  });
}
