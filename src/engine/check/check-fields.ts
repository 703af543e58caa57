import { parseRelativeTime } from '../conditions/relative-time';
import { computedKind } from '../conditions/computed-kind';
import { columnTypeOf, fieldTypes, fieldTypeOf, isWholeNumber } from '../field-types';
import { patternProblem } from '../patterns/compile-pattern';
import { checkCondition, formerValueProblem } from './check-conditions';
import { checkSequence } from './check-sequences';
import { checkDerived } from './check-derived';
import { checkExpression } from './check-expression';
import { checkFiles } from './check-files';
import { checkLatest } from './check-latest';
import { checkPermissions } from './check-permissions';
import { checkMoney } from './check-money';
import { checkRowFields } from './check-row-fields';
import { checkShares } from './check-shares';
import { checkTimes } from './check-times';
import { checkTransitions } from './check-transitions';
import {
  breaksField,
  reportProblem,
  resolveField,
  resolveReadableField,
  resolveResource,
  type CheckSubject,
} from './check-context';
import { shownResource } from '../field-types/inverse';
import { isMoney } from '../field-types/money';
import { isAnyRelation, isRelation } from '../field-types/relation';
import { isComparedText } from '../field-types/text';
import { isShareLink } from '../field-types/share-link';
import type { AnyRelationField, Condition, Definition, Field } from '../definitions/definition';
import { keysOf, typesWith } from '../field-types/field-keys';
import { templateFields } from '../definitions/labels';
import { joinPointer, unknownNameMessage } from '../definitions/problems';
import { rowColumnAt } from '../field-types/row-definition';
import type { FieldSource } from '../language/source';

/** Checks every field: its references, its comparisons, and whether its rules can be satisfied. */
export function checkFields(subject: CheckSubject): void {
  for (const field of Object.values(subject.definition.fields)) {
    // Fields that the engine adds are not written there: those of the system, and those of the list's paths.
    if ((field.system || field.name.includes('.')) && !Object.hasOwn(subject.source.fields, field.name)) continue;
    const path = joinPointer('/fields', field.name);
    checkField(subject, path, field);
    checkRowFields(subject, path, field, checkField);
    if (field.system) continue;
    checkCondition(subject, joinPointer(path, 'readOnly'), field.readOnlyWhen, { withoutRelated: 'form' });
    checkCondition(subject, joinPointer(path, 'visible'), field.visible, { withoutRelated: 'form' });
  }
}

/** The checks for a field of a record and for a column of rows alike. */
function checkField(subject: CheckSubject, path: string, field: Field): void {
  checkRelation(subject, path, field);
  checkInverse(subject, path, field);
  checkLimits(subject, path, field);
  checkCondition(subject, joinPointer(path, 'required'), field.requiredWhen, { withoutRelated: 'form' });
  checkSimilar(subject, path, field);
  checkDefault(subject, path, field);
  const { notBefore, laterThan } = subject.source.fields[field.name] ?? {};
  if (notBefore !== undefined) checkOrdered(subject, joinPointer(path, 'notBefore'), field, notBefore);
  if (laterThan !== undefined) checkOrdered(subject, joinPointer(path, 'laterThan'), field, laterThan);
  checkTimes(subject, path, field);
  checkShares(subject, path, field);
  checkSequence(subject, path, field);
  checkMoney(subject, path, field);
  checkPermissions(subject, path, field);
  checkFiles(subject, path, field);
  checkTransitions(subject, path, field);
  checkComputed(subject, path, field);
  checkDerived(subject, path, field);
  checkKeys(subject, path, field);
}

function checkRelation(subject: CheckSubject, path: string, field: Field): void {
  if (!isAnyRelation(field)) {
    const relationKeys = (['to', 'embed', 'choices', 'embedFields'] as const).filter(
      (key) => key in (subject.source.fields[field.name] ?? {}) && !keysOf(field.type).includes(key),
    );
    for (const key of relationKeys)
      reportProblem(subject, joinPointer(path, key), 'Only fields of type relation or relations have this property.');
    return;
  }
  const target = resolveResource(subject, joinPointer(path, 'to'), field.to);
  if (!target) return;
  field.embedFields.forEach((name, index) => {
    const carried = target.fields[name];
    const reason = carried && reasonAgainstEmbedding(carried);
    if (reason !== undefined)
      reportProblem(subject, joinPointer(path, 'embedFields', index), `An embed cannot contain "${name}": ${reason}.`);
  });
  checkCondition(subject, joinPointer(path, 'choices'), field.choices, { definition: target, parameters: true });
  if (field.container && !canBeHidden(target))
    reportProblem(subject, joinPointer(path, 'container'), `${target.name} cannot be archived.`);
  if (field.onDelete === 'clear' && field.required) {
    reportProblem(subject, joinPointer(path, 'onDelete'), 'A required field cannot be cleared.');
  }
  if (subject.source.fields[field.name]?.maxDepth !== undefined && field.to !== subject.definition.name) {
    reportProblem(subject, joinPointer(path, 'maxDepth'), 'Only a relation to its own resource has a maximum depth.');
  }
  checkDepth(subject, path, field);
  const isStored = field.computed === undefined && !field.virtual && !subject.definition.system;
  if (subject.source.fields[field.name]?.pin && !isStored)
    reportProblem(
      subject,
      joinPointer(path, 'pin'),
      'Only a relation that is stored with its record can remember a version. Remove "pin".',
    );
  if (subject.definition.scope === 'installation' && target.scope === 'company' && !field.readOnly) {
    reportProblem(
      subject,
      joinPointer(path, 'to'),
      `Records of the installation cannot point to ${target.name}, which belong to companies.`,
    );
  }
}

/** The depth that a related record says: a whole number that is stored with it. */
function checkDepth(subject: CheckSubject, path: string, field: AnyRelationField): void {
  if (!isRelation(field) || !field.depth) return;
  const depthPath = joinPointer(path, 'depth');
  const { relation, field: name } = field.depth;
  if (field.maxDepth === undefined) {
    reportProblem(subject, depthPath, 'Only a relation to its own resource has a depth.');
    return;
  }
  const depthRelation = resolveField(subject, depthPath, relation);
  if (!depthRelation) return;
  if (!isRelation(depthRelation) || depthRelation.virtual || depthRelation.computed !== undefined) {
    reportProblem(subject, depthPath, `"${relation}" must be a stored relation to one record, which says the depth.`);
    return;
  }
  const target = subject.registry.get(depthRelation.to);
  const depth = target && resolveReadableField(subject, depthPath, name, target);
  if (depth && (!isWholeNumber(columnTypeOf(depth)) || depth.computed !== undefined))
    reportProblem(
      subject,
      depthPath,
      `"${name}" of ${target.labels.many} must be a stored whole number ("integer": true).`,
    );
}

/** Why no embed has a field; undefined if one can. */
function reasonAgainstEmbedding(field: Field): string | undefined {
  if (field.secret || field.countName !== undefined || isShareLink(field)) return 'it is secret or a list';
  return field.virtual ? 'it is not stored with its record' : undefined;
}

/**
 * A key that the type does not support would be silently ignored, so it is reported, unless another problem is already
 * reported for it.
 */
function checkKeys(subject: CheckSubject, path: string, field: Field): void {
  // As written: in a registry a lookup has the type of its value.
  const type = subject.source.fields[field.name]?.type ?? field.type;
  const knownKeys: readonly string[] = keysOf(type);
  for (const key of Object.keys(subject.source.fields[field.name] ?? {}) as (keyof FieldSource)[]) {
    const keyPath = joinPointer(path, key);
    const isReported = key === 'computed' || subject.problems.some((problem) => problem.path === keyPath);
    if (knownKeys.includes(key) || isReported) continue;
    const types = typesWith(key).join(', ');
    reportProblem(
      subject,
      keyPath,
      `A field of type ${type} has no property "${key}"; fields of type ${types} have it.`,
    );
  }
}

/** Hidden records are archived ones and those within other records. */
function canBeHidden(target: Definition): boolean {
  return target.archive !== null || Object.values(target.fields).some((field) => field.container);
}

function checkInverse(subject: CheckSubject, path: string, field: Field): void {
  if (!field.inverse) return;
  const sourceDefinition = resolveResource(subject, joinPointer(path, 'source'), field.inverse.resource);
  const side =
    sourceDefinition &&
    (rowColumnAt(sourceDefinition, field.inverse.field)?.column ??
      resolveField(subject, joinPointer(path, 'source'), field.inverse.field, sourceDefinition));
  if (!sourceDefinition || !side) return;
  if (side.to !== subject.definition.name) {
    const fact = side.to === undefined ? `is of type ${side.type}` : `points to ${side.to}`;
    reportProblem(
      subject,
      joinPointer(path, 'source'),
      `"${sourceDefinition.name}.${side.name}" ${fact}, not to ${subject.definition.name}.`,
    );
  }
  const summedField =
    field.sum && resolveReadableField(subject, joinPointer(path, 'sum'), field.sum.field, sourceDefinition);
  if (summedField && !fieldTypeOf(summedField).isSummable)
    reportProblem(
      subject,
      joinPointer(path, 'sum'),
      `"${sourceDefinition.name}.${summedField.name}" is of type ${summedField.type}: only numbers and durations can be summed.`,
    );
  else if (summedField && isMoney(summedField) && summedField.currencyField !== undefined)
    reportProblem(
      subject,
      joinPointer(path, 'sum'),
      `The amounts of "${sourceDefinition.name}.${summedField.name}" can be in several currencies, which cannot be added. Use a rollup whose "where" says the currency.`,
    );
  if (field.sum && field.inLists !== 'count')
    reportProblem(
      subject,
      joinPointer(path, 'sum'),
      'Lists show a sum only beside a count: "inLists" must be "count".',
    );
  field.confirmChangesOf?.forEach((name, index) => {
    const confirmedField = resolveField(subject, joinPointer(path, 'confirmChangesOf', index), name);
    if (confirmedField && (confirmedField.readOnly === true || fieldTypeOf(confirmedField).isDerived))
      reportProblem(
        subject,
        joinPointer(path, 'confirmChangesOf', index),
        `Nobody changes "${name}" in the form. Name a field that people fill in.`,
      );
  });
  checkLatest(subject, path, field, sourceDefinition);
  // The records that are shown are of another module where a relation leads on to them.
  const shownDefinition =
    field.distinctBy === undefined ? sourceDefinition : subject.registry.get(shownResource(field, sourceDefinition));
  const embeds = new Set(Object.values(shownDefinition?.fields ?? {}).map(({ embed }) => embed));
  field.showFields.forEach((name, index) => {
    if (shownDefinition && !embeds.has(name))
      resolveReadableField(subject, joinPointer(path, 'showFields', index), name, shownDefinition);
  });
}

function checkLimits(subject: CheckSubject, path: string, field: Field): void {
  const { min, max, minLength, maxLength } = field;
  if (min !== undefined && max !== undefined && min > max)
    reportProblem(subject, joinPointer(path, 'min'), 'The minimum is greater than the maximum.');
  if (minLength !== undefined && maxLength !== undefined && minLength > maxLength) {
    reportProblem(subject, joinPointer(path, 'minLength'), 'The minimum length is greater than the maximum length.');
  }
  if (field.decimal && field.integer)
    reportProblem(
      subject,
      joinPointer(path, 'decimal'),
      'A number is either whole ("integer") or stored with decimals ("decimal"). Remove one of them.',
    );
  if (field.pattern !== undefined) checkPattern(subject, path, field, field.pattern);
  const values = (field.options ?? []).map((option) => option.value);
  values.forEach((value, index) => {
    if (values.indexOf(value) < index)
      reportProblem(subject, joinPointer(path, 'options', index), `The value ${JSON.stringify(value)} is duplicated.`);
    if (typeof value !== typeof values[0])
      reportProblem(subject, joinPointer(path, 'options', index), 'The values must be all numbers or all texts.');
  });
  checkFormerValues(subject, path, field);
  if (subject.source.fields[field.name]?.options && !keysOf(field.type).includes('options'))
    reportProblem(subject, joinPointer(path, 'options'), 'Only a field of type select has options.');
  if (field.unique && field.secret)
    reportProblem(
      subject,
      joinPointer(path, 'unique'),
      'A secret field cannot be unique: a refused value would reveal that it exists.',
    );
  else if (field.unique && !fieldTypes[field.type].sortable)
    reportProblem(subject, joinPointer(path, 'unique'), `A field of type ${field.type} cannot be unique.`);
  else if (field.unique && field.multiple)
    reportProblem(subject, joinPointer(path, 'unique'), 'A field with several values ("multiple") cannot be unique.');
  if (field.multiple && subject.source.fields[field.name]?.sortable)
    reportProblem(
      subject,
      joinPointer(path, 'sortable'),
      'A field with several values ("multiple") has no order. Remove "sortable".',
    );
}

/** A former value (`formerValue`) is of one option alone, and no present one, so that stored rows follow it without doubt. */
function checkFormerValues(subject: CheckSubject, path: string, { options = [] }: Field): void {
  options.forEach(({ value, formerValue }, index) => {
    if (formerValue === undefined) return;
    const report = (message: string) =>
      reportProblem(subject, joinPointer(path, 'options', index, 'formerValue'), message);
    if (typeof formerValue !== typeof value)
      report(`The former value must be a ${typeof value === 'number' ? 'number' : 'text'} as the present one is.`);
    else if (options.some((option) => option.value === formerValue))
      report(`An option ${JSON.stringify(formerValue)} still exists. Remove "formerValue", or that option.`);
    else if (options.findIndex((option) => option.formerValue === formerValue) < index)
      report(`${JSON.stringify(formerValue)} is already the former value of another option.`);
  });
}

/** Only what the table stores for everybody who may read it can be compared. */
function checkSimilar(subject: CheckSubject, path: string, field: Field): void {
  if (!isComparedText(field)) return;
  const report = (message: string) => reportProblem(subject, joinPointer(path, 'similar'), message);
  if (field.secret) report('A secret text is not compared with that of other records. Remove "similar".');
  else if (field.computed !== undefined || field.virtual)
    report('The text of records is compared as it is stored, and this one is not. Remove "similar".');
  else if (subject.definition.system)
    report(`The table of ${subject.definition.name} is not derived from its definition. Remove "similar".`);
}

/** Every written value is tested against the pattern, on the server too. */
const longestPattern = 500;
const longestText = 1_000;

function checkPattern(subject: CheckSubject, path: string, { maxLength }: Field, pattern: string): void {
  const problem = pattern.length > longestPattern ? undefined : patternProblem(pattern);
  if (pattern.length > longestPattern)
    reportProblem(subject, joinPointer(path, 'pattern'), `A pattern must have at most ${longestPattern} characters.`);
  else if (problem !== undefined) reportProblem(subject, joinPointer(path, 'pattern'), problem);
  else if (maxLength !== undefined && maxLength > longestText)
    reportProblem(
      subject,
      joinPointer(path, 'pattern'),
      `A text with a pattern must have at most ${longestText} characters: set maxLength.`,
    );
}

function checkDefault(subject: CheckSubject, path: string, field: Field): void {
  const value = field.default;
  if (value === undefined || value === null) return;
  if (typeof value === 'string' && value.startsWith('$')) {
    const variables = [
      '$today',
      '$now',
      '$actor.id',
      '$actor.level',
      '$actor.role',
      '$actor.role_id',
      '$actor.site_id',
    ];
    if (!variables.includes(value) && !/^\$actor\.[a-z_]+$/.test(value) && !parseRelativeTime(value))
      reportProblem(subject, joinPointer(path, 'default'), unknownNameMessage('variable', value, variables));
    return;
  }
  if (typeof value === 'object' && '$lookup' in value)
    return checkDefaultLookup(subject, joinPointer(path, 'default'), field, value.$lookup as Condition);
  const formerProblem = formerValueProblem(field, value);
  if (formerProblem !== undefined) return reportProblem(subject, joinPointer(path, 'default'), formerProblem);
  const { parse, brokenRule } = fieldTypeOf(field);
  if (breaksField(field, value) || brokenRule?.(parse(value, field), field)) {
    reportProblem(
      subject,
      joinPointer(path, 'default'),
      `${JSON.stringify(value)} is not a valid value of this field.`,
    );
  }
}

/** A default that is looked up is a record of a relation's target, found by what is known before there is a record. */
function checkDefaultLookup(subject: CheckSubject, path: string, field: Field, condition: Condition): void {
  if (path.split('/').length > 4)
    return reportProblem(
      subject,
      path,
      'A column of rows has no default that is looked up. Look it up in a field of the record.',
    );
  if (!isRelation(field))
    return reportProblem(
      subject,
      path,
      `Only a relation has a default that is looked up, and "${field.name}" is of type ${field.type}. Write a value.`,
    );
  const definition = subject.registry.get(field.to);
  if (!definition) return;
  const [variable] = /"\$(form|record|value)\b[^"]*"/.exec(JSON.stringify(condition)) ?? [];
  if (variable !== undefined)
    return reportProblem(
      subject,
      joinPointer(path, '$lookup'),
      `A default is looked up before there is a record, so ${variable} has no value. Compare with $actor, $today, $now or a value.`,
    );
  checkCondition(subject, joinPointer(path, '$lookup'), condition, { definition });
}

function checkOrdered(subject: CheckSubject, path: string, field: Field, name: string): void {
  const start = resolveReadableField(subject, path, name);
  if (start && (start.type !== field.type || !keysOf(field.type).includes('notBefore'))) {
    reportProblem(
      subject,
      path,
      `Both fields must be dates, times or numbers of the same type; "${name}" is of type ${start.type}.`,
    );
  }
}

function checkComputed(subject: CheckSubject, path: string, field: Field): void {
  if (field.computed === undefined) return;
  if (subject.source.fields[field.name]?.unique)
    reportProblem(
      subject,
      joinPointer(path, 'unique'),
      'A computed field cannot be unique: it is not stored. Make the fields unique that it is computed from.',
    );
  const kind = computedKind(field);
  if (kind === 'expression') return checkExpression(subject, path, field);
  if (kind === 'lookup' || kind === 'rollup') return;
  if (typeof field.computed !== 'string') {
    if (fieldTypeOf(field).computedFrom !== 'condition')
      reportProblem(subject, joinPointer(path, 'type'), 'A field computed by a condition must be of type boolean.');
    if (!field.system)
      checkCondition(subject, joinPointer(path, 'computed'), field.computed, {
        onStoredRows: true,
      });
    return;
  }
  if (fieldTypeOf(field).computedFrom !== 'template')
    reportProblem(subject, joinPointer(path, 'type'), 'A field computed by a template must be of type text.');
  for (const name of templateFields(field.computed)) {
    const part = resolveReadableField(subject, joinPointer(path, 'computed'), name);
    if (part?.computed !== undefined)
      reportProblem(subject, joinPointer(path, 'computed'), `"${name}" is itself computed.`);
  }
}
