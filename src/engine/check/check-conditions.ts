import { ConditionError, isVariable, parseCondition, type Predicate } from '../conditions/grammar';
import { parseRelativeTime, relativeTimeForms } from '../conditions/relative-time';
import { computedKind } from '../conditions/computed-kind';
import { fieldTypeOf, type FieldType } from '../field-types';
import { parseInstant } from '../formats/dates';
import { isAnyRelation, isRelation, treeParent } from '../field-types/relation';
import { isRelations } from '../field-types/relations';
import { isRows } from '../field-types/rows';
import { presentValue } from '../field-types/former-values';
import { isDate } from '../formats/dates';
import type { AnyRelationField, Condition, Definition, Field } from '../definitions/definition';
import { unknownNameMessage } from '../definitions/problems';
import { rowDefinition } from '../field-types/row-definition';
import { reportProblem, resolveReadableField, type CheckSubject } from './check-context';
import { isEmbedded } from '../registry/path-fields';

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
  options: ConditionPlace = {},
): void {
  if (condition === undefined) return;
  let predicate: Predicate;
  try {
    predicate = parseCondition(condition);
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
    return reportProblem(subject, path + error.path, error.message);
  }
  checkPredicate(subject, path, predicate, options, options.definition ?? subject.definition);
}

function checkPredicate(
  subject: CheckSubject,
  path: string,
  predicate: Predicate,
  options: ConditionPlace,
  definition: Definition,
): void {
  switch (predicate.kind) {
    case 'all':
    case 'any':
      return predicate.of.forEach((part) => checkPredicate(subject, path, part, options, definition));
    case 'not':
      return checkPredicate(subject, path, predicate.of, options, definition);
    case 'some':
      return checkSome(subject, path, predicate, options, definition);
    case 'compare':
      return checkComparison(subject, path, predicate, options, definition);
  }
}

function checkSome(
  subject: CheckSubject,
  path: string,
  predicate: SomePredicate,
  options: ConditionPlace,
  definition: Definition,
): void {
  const field = resolveReadableField(subject, path, predicate.field, definition);
  if (!field) return;
  if (isRows(field)) return checkSomeRow(subject, path, predicate, options, rowDefinition(definition, field));
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
  if (options.withoutRelated === 'row') {
    return reportProblem(subject, path, `A path or $some reads related records, ${unavailable(options)}`);
  }
  if (predicate.of.kind === 'compare' && predicate.of.operator === '$below') {
    const problem = belowProblem(field, target, options);
    if (problem !== undefined) return reportProblem(subject, path, problem);
  }
  if (options.withoutRelated === 'screen') return checkEmbedded(subject, path, predicate, options, field, target);
  if (options.withoutRelated === 'form' && !isStoredRelation(field)) {
    return reportProblem(
      subject,
      path,
      `A form knows the records that this one refers to, but not those of "${field.name}". Use a relation of this record, or compare a rollup that counts them.`,
    );
  }
  const { withoutRelated: _withoutRelated, onWrittenValues: _onWrittenValues, ...relatedOptions } = options;
  checkPredicate(subject, path, predicate.of, relatedOptions, target);
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
  { field, of: rowPredicate }: SomePredicate,
  options: ConditionPlace,
  rows: Definition,
): void {
  if (options.withoutRelated === 'row') {
    return reportProblem(subject, path, `A path or $some reads rows, ${unavailable(options)}`);
  }
  if (options.withoutRelated === 'screen' && !(rowPredicate.kind === 'all' && rowPredicate.of.length === 0)) {
    return reportProblem(
      subject,
      path,
      `Records of lists only have the number of "${field}". Test whether there is a row ({"$some": {}}).`,
    );
  }
  checkPredicate(subject, path, rowPredicate, options, rows);
}

type SomePredicate = Extract<Predicate, { kind: 'some' }>;

const isStoredRelation = (field: Field) => isAnyRelation(field) && !field.virtual && field.computed === undefined;

/** A condition on records as returned by the API: only what their embeds contain can be tested. */
function checkEmbedded(
  subject: CheckSubject,
  path: string,
  { of: relatedPredicate }: SomePredicate,
  options: ConditionPlace,
  field: Field,
  target: Definition,
): void {
  // A count is enough to tell whether there is any related record.
  if (relatedPredicate.kind === 'all' && relatedPredicate.of.length === 0) return;
  const names = comparedNames(relatedPredicate);
  if (!isAnyRelation(field) || names === undefined) {
    return reportProblem(
      subject,
      path,
      `Records of lists and forms don't contain what this tests in "${field.name}". Test whether there is a related record ({"$some": {}}), or a field of a relation's embed.`,
    );
  }
  checkPredicate(subject, path, relatedPredicate, options, target);
  const missingName = names.find((name) => Object.hasOwn(target.fields, name) && !isEmbedded(field, target, name));
  if (missingName === undefined && isEmbeddedInLists(field)) return;
  const remedy =
    missingName !== undefined && isEmbeddedInLists(field)
      ? `add "${missingName}" to embedFields of ${field.name}`
      : `give ${field.name} an "embed"${isRelations(field) ? ' and "inLists": "records"' : ''}${missingName === undefined ? '' : ` with "${missingName}" among its embedFields`}`;
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
  return names.includes(undefined) ? undefined : names.flatMap((fieldNames) => fieldNames ?? []);
}

function checkComparison(
  subject: CheckSubject,
  path: string,
  predicate: Extract<Predicate, { kind: 'compare' }>,
  options: ConditionPlace,
  definition: Definition,
): void {
  const { left, right } = predicate;
  for (const operand of Array.isArray(right) ? (right as unknown[]) : [right]) {
    if (typeof operand === 'string' && operand.startsWith('$')) checkVariable(subject, path, operand, options);
  }
  if (left.startsWith('$')) return checkVariable(subject, path, left, options);
  if (options.parameters && !Object.hasOwn(definition.fields, left) && Object.hasOwn(definition.parameters, left))
    return;
  const field = resolveReadableField(subject, path, left, definition);
  if (field?.inverse && options.onWrittenValues) {
    return reportProblem(
      subject,
      path,
      `"${left}" lists other records, which are not among the values that are stored. Test them with {"${left}": {"$some": …}}, or compare a rollup that counts them.`,
    );
  }
  if (field?.inverse && (options.withoutRelated === 'form' || options.withoutRelated === 'row')) {
    return reportProblem(
      subject,
      path,
      `"${left}" lists other records, which are not available here. Compare a field of this record.`,
    );
  }
  if (field && options.withoutRelated === 'row' && !options.inExpression && isDerived(field)) {
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

function checkVariable(subject: CheckSubject, path: string, variable: string, options: ConditionPlace): void {
  if (parseRelativeTime(variable)) return;
  const [root, name, ...extraSteps] = variable.slice(1).split('.') as [string, string | undefined];
  if (!isVariable(variable)) {
    const roots = ['$actor', '$record', '$form', '$today', '$now'];
    return reportProblem(subject, path, unknownNameMessage('variable', variable, roots));
  }
  if (extraSteps.length > 0) return reportProblem(subject, path, tooLongMessage(variable));
  if (variable === '$today' || variable === '$now') return;
  if (/^(today|now)\b/.test(root)) {
    return reportProblem(subject, path, `"${variable}" is no day or time. Write ${relativeTimeForms}.`);
  }
  if (root === 'value' || root === 'from' || root === 'to') {
    if (!options.value) reportProblem(subject, path, `${variable} can be used only in parameters.`);
    return;
  }
  if (options.inExpression && (root === 'record' || root === 'form')) {
    return reportProblem(
      subject,
      path,
      `A condition in an expression or rollup cannot compare with ${variable}. Compare two fields by an expression: {"$eq": ["$record.a", "$record.b"]}.`,
    );
  }
  if (options.onStoredRows && (root === 'record' || root === 'form')) {
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
    const isKnownName = actorNames.includes(name) || (options.withoutRelated === 'screen' && name.startsWith('total'));
    if (!isKnownName) reportProblem(subject, path, unknownNameMessage('property of $actor', name, actorNames));
  } else if (root === 'form' && options.form) {
    if (!options.form.includes(name)) reportProblem(subject, path, unknownNameMessage('name', name, options.form));
  } else {
    const field = resolveReadableField(subject, path, name);
    const isKnown = options.withoutRelated === 'screen' || (root === 'form' && options.onWrittenValues);
    if (field && computedKind(field) !== undefined && !isKnown)
      reportProblem(
        subject,
        path,
        `"${variable}" is computed, so it is not known where records are compared as they are stored. Compare with the fields that it is computed from.`,
      );
  }
}

/** The message about a variable that leads through a relation, with a remedy. */
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
function timeRemedy(valueKind: FieldType['holds'], value: unknown): string | undefined {
  if (typeof value !== 'string' || isDate(value)) return undefined;
  if (valueKind === 'day') return 'write a day as 2026-01-31';
  if (valueKind !== 'instant' || parseInstant(value) !== undefined) return undefined;
  return 'write a time as 2026-01-31T14:30:00Z, or a day as 2026-01-31';
}

/**
 * Why a value of a definition is a former one of an option, which no record has any more; undefined if it is none.
 *
 * @example formerValueProblem(state, 'in_work'); // '"in_work" of "state" is called "working" now: write that.'
 */
export function formerValueProblem(field: Field, value: unknown): string | undefined {
  const presentName = presentValue(field, value);
  const isFormer = JSON.stringify(presentName) !== JSON.stringify(value);
  if (!isFormer) return undefined;
  return `${JSON.stringify(value)} of "${field.name}" is called ${JSON.stringify(presentName)} now: write that.`;
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
  const fieldSchema = type.schema(field);
  const schema = (field.multiple && fieldSchema.items) || fieldSchema;
  // Related records are compared by their ids.
  const expectedType = field.countName === undefined ? schema.type : 'integer';
  const values = Array.isArray(predicate.right) ? (predicate.right as unknown[]) : [predicate.right];
  return values.flatMap((operand) => {
    if (operand === null || (typeof operand === 'string' && operand.startsWith('$'))) return [];
    const operandType = typeof operand;
    const hasType =
      expectedType === undefined || operandType === (expectedType === 'integer' ? 'number' : expectedType);
    const isOption = !schema.enum || predicate.operator === '$contains' || schema.enum.includes(operand as string);
    const remedy = hasType && predicate.operator !== '$contains' ? timeRemedy(type.holds, operand) : undefined;
    if (hasType && isOption && remedy === undefined) return [];
    const formerProblem = formerValueProblem(field, operand);
    if (formerProblem !== undefined) return [formerProblem];
    return [`"${field.name}" can never be ${JSON.stringify(operand)}: ${remedy ?? `it is of type ${field.type}`}.`];
  });
}
