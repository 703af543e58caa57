import { checkCondition } from './check-conditions';
import { reportProblem, resolveField, type CheckSubject } from './check-context';
import { columnTypeOf } from '../field-types';
import { isStateRelation } from '../field-types/relation';
import type { AnyRelationField, Field } from '../definitions/definition';
import { joinPointer } from '../definitions/problems';
import type { FieldSource } from '../language/source';

/**
 * Checks the transitions of a field: they lead between its options, or between records that they name unmistakably, and
 * what they need can be filled in.
 */
export function checkTransitions(subject: CheckSubject, path: string, field: Field): void {
  const { initial, transitions } = field;
  if (field.to !== undefined) checkNames(subject, path, field);
  if (field.multiple)
    for (const key of ['initial', 'transitions'] as const)
      if (field[key] !== undefined)
        return reportProblem(
          subject,
          joinPointer(path, key),
          `A field with several values ("multiple") has no states. Remove "${key}", or "multiple".`,
        );
  const optionValues = field.options?.map(({ value }) => value);
  const checkValue = (valuePath: string, value: string | number) => {
    if (optionValues && !optionValues.includes(value))
      reportProblem(
        subject,
        valuePath,
        `${JSON.stringify(value)} is not an option of this field: ${optionValues.map((option) => JSON.stringify(option)).join(', ')}.`,
      );
  };
  if (initial !== undefined) checkValue(joinPointer(path, 'initial'), initial);
  if (initial !== undefined && field.default !== (field.to === undefined ? initial : undefined))
    reportProblem(subject, joinPointer(path, 'default'), 'A new record gets the value of "initial": remove "default".');
  transitions?.forEach(({ from: fromStates, to: toStates, where: condition, requiredFields }, index) => {
    const transitionPath = joinPointer(path, 'transitions', index);
    fromStates.forEach((value) => checkValue(joinPointer(transitionPath, 'from'), value));
    toStates.forEach((value) => checkValue(joinPointer(transitionPath, 'to'), value));
    const sameState = fromStates.find((value) => toStates.includes(value));
    if (sameState !== undefined)
      reportProblem(
        subject,
        joinPointer(transitionPath, 'to'),
        `${JSON.stringify(sameState)} to itself is no change: remove it.`,
      );
    checkCondition(subject, joinPointer(transitionPath, 'where'), condition, { onWrittenValues: true });
    requiredFields.forEach((name, position) => {
      const neededField = resolveField(subject, joinPointer(transitionPath, 'requiredFields', position), name);
      if (neededField && (neededField.readOnly || neededField.system || neededField === field))
        reportProblem(
          subject,
          joinPointer(transitionPath, 'requiredFields', position),
          `"${name}" cannot be filled in with the change. Name a field that users can write.`,
        );
    });
  });
  if (transitions && initial !== undefined) checkReachable(subject, path, field, initial);
}

/** The records that are the states of a relation have names that mean one record each. */
function checkNames(subject: CheckSubject, path: string, field: AnyRelationField): void {
  const fieldSource = (subject.source.fields[field.name] ?? {}) as FieldSource;
  if (!isStateRelation(field)) {
    for (const key of ['initial', 'transitionsBy'] as const)
      if (fieldSource[key] !== undefined)
        reportProblem(
          subject,
          joinPointer(path, key),
          `"${key}" says how "transitions" name records: add those, or remove this.`,
        );
    return;
  }
  if (field.embed === undefined)
    reportProblem(
      subject,
      path,
      `Lists and forms tell the state of a record by its embed: add "embed", such as "embed": "${field.name.replace(/_id$/, '')}".`,
    );
  for (const [key, names] of namesOf(field))
    if (names.some((name) => typeof name !== 'string'))
      reportProblem(
        subject,
        joinPointer(path, ...key),
        'Transitions of a relation name records by a text, so that they mean the same in every installation. Write the name instead of an id.',
      );
  const target = subject.registry.get(field.to);
  if (!target) return;
  const nameField = field.transitionsBy;
  const problemPath =
    fieldSource.transitionsBy === undefined ? joinPointer(path, 'transitions') : joinPointer(path, 'transitionsBy');
  const targetField = Object.hasOwn(target.fields, nameField) ? target.fields[nameField] : undefined;
  const remedy = `Name a text of ${target.name} that is unique and that everybody may read with "transitionsBy".`;
  if (!targetField) return reportProblem(subject, problemPath, `${target.name} has no field "${nameField}". ${remedy}`);
  if (
    columnTypeOf(targetField) !== 'text' ||
    targetField.multiple ||
    targetField.secret ||
    targetField.computed !== undefined
  )
    return reportProblem(subject, problemPath, `"${nameField}" of ${target.name} is not a stored text. ${remedy}`);
  const isUnique =
    targetField.unique !== undefined ||
    target.unique.some(
      ({ fields, where: condition }) => condition === undefined && fields.length === 1 && fields[0] === nameField,
    );
  if (!isUnique)
    reportProblem(
      subject,
      problemPath,
      `"${nameField}" of ${target.name} is not unique, so it does not say which record is meant. Make it unique ("unique": true), or name another field with "transitionsBy".`,
    );
}

/** The names in a relation's transitions, by where they are. */
function namesOf({
  initial,
  transitions = [],
}: Field): readonly (readonly [readonly (string | number)[], readonly unknown[]])[] {
  return [
    [['initial'], initial === undefined ? [] : [initial]],
    ...transitions.flatMap(({ from: fromStates, to: toStates }, index) => [
      [['transitions', index, 'from'], fromStates] as const,
      [['transitions', index, 'to'], toStates] as const,
    ]),
  ];
}

/**
 * Whether a value of a definition names a state of a relation: one that its transitions lead from or to.
 *
 * @example isStateName(deals.fields.stage_id, 'Won'); // true
 */
export function isStateName(field: Field, value: unknown): boolean {
  return isStateRelation(field) && typeof value === 'string' && stateNames(field).includes(value);
}

/** The states that transitions lead from or to, and the initial one. */
export function stateNames(field: Field): readonly string[] {
  return [...new Set(namesOf(field).flatMap(([, names]) => names.map(String)))];
}

/** A value that nobody can ever choose is a mistake: a transition that was forgotten, or an option too many. */
function checkReachable(subject: CheckSubject, path: string, field: Field, initial: string | number): void {
  const reachedStates = new Set([initial]);
  for (let size = 0; size < reachedStates.size;) {
    size = reachedStates.size;
    for (const { from: fromStates, to: toStates } of field.transitions ?? [])
      if (fromStates.some((value) => reachedStates.has(value))) toStates.forEach((value) => reachedStates.add(value));
  }
  const unreached = (statePath: string, value: string | number, remedy: string) =>
    reportProblem(
      subject,
      statePath,
      `No transition leads from ${JSON.stringify(initial)} to ${JSON.stringify(value)}, so no record could get it. Add a transition, or remove ${remedy}.`,
    );
  field.options?.forEach(({ value }, index) => {
    if (!reachedStates.has(value)) unreached(joinPointer(path, 'options', index), value, 'the option');
  });
  if (field.to === undefined) return;
  field.transitions?.forEach(({ from: fromStates }, index) => {
    const unreachedState = fromStates.find((value) => !reachedStates.has(value));
    if (unreachedState !== undefined)
      unreached(joinPointer(path, 'transitions', index, 'from'), unreachedState, 'this one');
  });
}
