import { fieldTypes, typeOf } from '../field-types';
import { patternFault } from '../patterns/compile';
import { interpret } from '../validation/interpret';
import { checkCondition } from './check-conditions';
import { checkShares } from './check-shares';
import { checkTimes } from './check-times';
import { fault, needField, needFields, needReadable, needResource, type Subject } from './check-subject';
import type { Definition, Field } from './definition';
import { keysOf, typesWith } from './field-keys';
import { templateFields } from './labels';
import { at, unknownName } from './paths';
import type { FieldSource } from './source';

/** Checks every field: its references, its comparisons, and whether its rules can be satisfied. */
export function checkFields(subject: Subject): void {
  for (const field of Object.values(subject.definition.fields)) {
    if (field.system && !Object.hasOwn(subject.source.fields, field.name)) continue;
    const path = at('/fields', field.name);
    checkRelation(subject, path, field);
    checkInverse(subject, path, field);
    checkLimits(subject, path, field);
    checkDefault(subject, path, field);
    if (field.notBefore !== undefined) checkOrdered(subject, at(path, 'notBefore'), field, field.notBefore);
    if (field.after !== undefined) checkOrdered(subject, at(path, 'after'), field, field.after);
    checkTimes(subject, path, field);
    checkShares(subject, path, field);
    checkComputed(subject, path, field);
    checkKeys(subject, path, field);
    if (field.system) continue;
    checkCondition(subject, at(path, 'required'), field.requiredWhen, { alone: 'form' });
    checkCondition(subject, at(path, 'readOnly'), field.readOnlyWhen, { alone: 'form' });
    checkCondition(subject, at(path, 'visible'), field.visible, { alone: 'form' });
  }
}

function checkRelation(subject: Subject, path: string, field: Field): void {
  if (field.to === undefined || (field.type !== 'relation' && field.type !== 'relations')) {
    const only = (['to', 'embed', 'choices', 'embedFields'] as const).filter(
      (key) => key in (subject.source.fields[field.name] ?? {}) && !(key === 'to' && field.type === 'duration'),
    );
    for (const key of only)
      fault(subject, at(path, key), 'Only fields of type relation or relations have this property.');
    return;
  }
  const target = needResource(subject, at(path, 'to'), field.to);
  if (!target) return;
  needFields(subject, at(path, 'embedFields'), field.embedFields, target);
  field.embedFields.forEach((name, index) => {
    const carried = target.fields[name];
    if (!carried || !(carried.secret || carried.type === 'inverse' || carried.type === 'relations')) return;
    fault(subject, at(path, 'embedFields', index), `An embed cannot contain "${name}": it is secret or a list.`);
  });
  checkCondition(subject, at(path, 'choices'), field.choices, { of: target, parameters: true });
  if (field.within && !canBeHidden(target)) fault(subject, at(path, 'within'), `${target.name} cannot be archived.`);
  if (field.onDelete === 'clear' && field.required) {
    fault(subject, at(path, 'onDelete'), 'A required field cannot be cleared.');
  }
  if (subject.source.fields[field.name]?.maxDepth !== undefined && field.to !== subject.definition.name) {
    fault(subject, at(path, 'maxDepth'), 'Only a relation to its own resource has a maximum depth.');
  }
  if (subject.definition.scope === 'installation' && target.scope === 'company' && !field.readOnly) {
    fault(
      subject,
      at(path, 'to'),
      `Records of the installation cannot point to ${target.name}, which belong to companies.`,
    );
  }
}

/**
 * A key that the type does not support would be silently ignored, so it is reported, unless another problem is already
 * reported for it.
 */
function checkKeys(subject: Subject, path: string, field: Field): void {
  const known: readonly string[] = keysOf(field.type);
  for (const key of Object.keys(subject.source.fields[field.name] ?? {}) as (keyof FieldSource)[]) {
    const here = at(path, key);
    const meant = key === 'computed' || subject.faults.some((one) => one.path === here);
    if (known.includes(key) || meant) continue;
    const types = typesWith(key).join(', ');
    fault(subject, here, `A field of type ${field.type} has no property "${key}"; fields of type ${types} have it.`);
  }
}

/** Hidden records are archived ones and those within other records. */
function canBeHidden(target: Definition): boolean {
  return target.archive !== null || Object.values(target.fields).some((field) => field.within);
}

function checkInverse(subject: Subject, path: string, field: Field): void {
  if (!field.inverse) return;
  const other = needResource(subject, at(path, 'of'), field.inverse.resource);
  const side = other && needField(subject, at(path, 'of'), field.inverse.field, other);
  if (!other || !side) return;
  if (side.to !== subject.definition.name) {
    const fact = side.to === undefined ? `is of type ${side.type}` : `points to ${side.to}`;
    fault(subject, at(path, 'of'), `"${other.name}.${side.name}" ${fact}, not to ${subject.definition.name}.`);
  }
  const summed = field.sum && needReadable(subject, at(path, 'sum'), field.sum.field, other);
  if (summed && !['number', 'duration'].includes(summed.type))
    fault(
      subject,
      at(path, 'sum'),
      `"${other.name}.${summed.name}" is of type ${summed.type}: only numbers and durations can be summed.`,
    );
  if (field.sum && field.inLists !== 'count')
    fault(subject, at(path, 'sum'), 'Lists show a sum only beside a count: "inLists" must be "count".');
  const embeds = new Set(Object.values(other.fields).map(({ embed }) => embed));
  field.show.forEach((name, index) => {
    if (!embeds.has(name)) needReadable(subject, at(path, 'show', index), name, other);
  });
}

function checkLimits(subject: Subject, path: string, field: Field): void {
  const { min, max, minLength, maxLength } = field;
  if (min !== undefined && max !== undefined && min > max)
    fault(subject, at(path, 'min'), 'The minimum is greater than the maximum.');
  if (minLength !== undefined && maxLength !== undefined && minLength > maxLength) {
    fault(subject, at(path, 'minLength'), 'The minimum length is greater than the maximum length.');
  }
  if (field.pattern !== undefined) checkPattern(subject, path, field, field.pattern);
  const values = (field.options ?? []).map((option) => option.value);
  values.forEach((value, index) => {
    if (values.indexOf(value) < index)
      fault(subject, at(path, 'options', index), `The value ${JSON.stringify(value)} is duplicated.`);
    if (typeof value !== typeof values[0])
      fault(subject, at(path, 'options', index), 'The values must be all numbers or all texts.');
  });
  if (field.options && field.type !== 'select')
    fault(subject, at(path, 'options'), 'Only a field of type select has options.');
  if (field.unique && field.secret)
    fault(subject, at(path, 'unique'), 'A secret field cannot be unique: a refused value would reveal that it exists.');
  else if (field.unique && !fieldTypes[field.type].sortable)
    fault(subject, at(path, 'unique'), `A field of type ${field.type} cannot be unique.`);
}

/** Every written value is tested against the pattern, on the server too. */
const longestPattern = 500;
const longestText = 1_000;

function checkPattern(subject: Subject, path: string, { maxLength }: Field, pattern: string): void {
  if (pattern.length > longestPattern)
    fault(subject, at(path, 'pattern'), `A pattern must have at most ${longestPattern} characters.`);
  else if (patternFault(pattern) !== undefined) fault(subject, at(path, 'pattern'), patternFault(pattern)!);
  else if (maxLength !== undefined && maxLength > longestText)
    fault(
      subject,
      at(path, 'pattern'),
      `A text with a pattern must have at most ${longestText} characters: set maxLength.`,
    );
}

function checkDefault(subject: Subject, path: string, field: Field): void {
  const value = field.default;
  if (value === undefined || value === null) return;
  if (typeof value === 'string' && value.startsWith('$')) {
    const known = ['$today', '$now', '$actor.id', '$actor.level', '$actor.role_id', '$actor.site_id'];
    if (!known.includes(value) && !/^\$actor\.[a-z_]+$/.test(value))
      fault(subject, at(path, 'default'), unknownName('variable', value, known));
    return;
  }
  if (interpret(typeOf(field).schema(field), typeOf(field).parse(value, field))) {
    fault(subject, at(path, 'default'), `${JSON.stringify(value)} is not a valid value of this field.`);
  }
}

const ordered: ReadonlySet<string> = new Set(['date', 'datetime', 'time', 'number']);

function checkOrdered(subject: Subject, path: string, field: Field, name: string): void {
  const start = needReadable(subject, path, name);
  if (start && (start.type !== field.type || !ordered.has(field.type))) {
    fault(
      subject,
      path,
      `Both fields must be dates, times or numbers of the same type; "${name}" is of type ${start.type}.`,
    );
  }
}

function checkComputed(subject: Subject, path: string, field: Field): void {
  if (field.computed === undefined) return;
  if (typeof field.computed !== 'string') {
    if (field.type !== 'boolean')
      fault(subject, at(path, 'type'), 'A field computed by a condition must be of type boolean.');
    if (!field.system) checkCondition(subject, at(path, 'computed'), field.computed);
    return;
  }
  if (field.type !== 'text') fault(subject, at(path, 'type'), 'A field computed by a template must be of type text.');
  for (const name of templateFields(field.computed)) {
    const part = needReadable(subject, at(path, 'computed'), name);
    if (part?.computed !== undefined) fault(subject, at(path, 'computed'), `"${name}" is itself computed.`);
  }
}
