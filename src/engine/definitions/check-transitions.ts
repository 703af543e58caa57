import { checkCondition } from './check-conditions';
import { reportProblem, resolveField, type CheckSubject } from './check-context';
import { columnTypeOf } from '../field-types';
import { isStateRelation } from '../field-types/relation';
import type { AnyRelationField, Field } from './definition';
import { joinPointer } from './problems';
import type { FieldSource } from './source';

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
  const offered = field.options?.map(({ value }) => value);
  const checkValue = (here: string, value: string | number) => {
    if (offered && !offered.includes(value))
      reportProblem(
        subject,
        here,
        `${JSON.stringify(value)} is not an option of this field: ${offered.map((one) => JSON.stringify(one)).join(', ')}.`,
      );
  };
  if (initial !== undefined) checkValue(joinPointer(path, 'initial'), initial);
  if (initial !== undefined && field.default !== (field.to === undefined ? initial : undefined))
    reportProblem(subject, joinPointer(path, 'default'), 'A new record gets the value of "initial": remove "default".');
  transitions?.forEach(({ from, to, where, requiredFields }, index) => {
    const here = joinPointer(path, 'transitions', index);
    from.forEach((value) => checkValue(joinPointer(here, 'from'), value));
    to.forEach((value) => checkValue(joinPointer(here, 'to'), value));
    const stays = from.find((value) => to.includes(value));
    if (stays !== undefined)
      reportProblem(subject, joinPointer(here, 'to'), `${JSON.stringify(stays)} to itself is no change: remove it.`);
    checkCondition(subject, joinPointer(here, 'where'), where, { onWrittenValues: true });
    requiredFields.forEach((name, place) => {
      const needed = resolveField(subject, joinPointer(here, 'requiredFields', place), name);
      if (needed && (needed.readOnly || needed.system || needed === field))
        reportProblem(
          subject,
          joinPointer(here, 'requiredFields', place),
          `"${name}" cannot be filled in with the change. Name a field that users can write.`,
        );
    });
  });
  if (transitions && initial !== undefined) checkReachable(subject, path, field, initial);
}

/** The records that are the states of a relation have names that mean one record each. */
function checkNames(subject: CheckSubject, path: string, field: AnyRelationField): void {
  const written = (subject.source.fields[field.name] ?? {}) as FieldSource;
  if (!isStateRelation(field)) {
    for (const key of ['initial', 'transitionsBy'] as const)
      if (written[key] !== undefined)
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
  const by = field.transitionsBy;
  const here =
    written.transitionsBy === undefined ? joinPointer(path, 'transitions') : joinPointer(path, 'transitionsBy');
  const naming = Object.hasOwn(target.fields, by) ? target.fields[by] : undefined;
  const remedy = `Name a text of ${target.name} that is unique and that everybody may read with "transitionsBy".`;
  if (!naming) return reportProblem(subject, here, `${target.name} has no field "${by}". ${remedy}`);
  if (columnTypeOf(naming) !== 'text' || naming.multiple || naming.secret || naming.computed !== undefined)
    return reportProblem(subject, here, `"${by}" of ${target.name} is not a stored text. ${remedy}`);
  const isUnique =
    naming.unique !== undefined ||
    target.unique.some(({ fields, where }) => where === undefined && fields.length === 1 && fields[0] === by);
  if (!isUnique)
    reportProblem(
      subject,
      here,
      `"${by}" of ${target.name} is not unique, so it does not say which record is meant. Make it unique ("unique": true), or name another field with "transitionsBy".`,
    );
}

/** The names in a relation's transitions, by where they are. */
function namesOf({
  initial,
  transitions = [],
}: Field): readonly (readonly [readonly (string | number)[], readonly unknown[]])[] {
  return [
    [['initial'], initial === undefined ? [] : [initial]],
    ...transitions.flatMap(({ from, to }, index) => [
      [['transitions', index, 'from'], from] as const,
      [['transitions', index, 'to'], to] as const,
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
  const reached = new Set([initial]);
  for (let size = 0; size < reached.size;) {
    size = reached.size;
    for (const { from, to } of field.transitions ?? [])
      if (from.some((value) => reached.has(value))) to.forEach((value) => reached.add(value));
  }
  const unreached = (here: string, value: string | number, remedy: string) =>
    reportProblem(
      subject,
      here,
      `No transition leads from ${JSON.stringify(initial)} to ${JSON.stringify(value)}, so no record could get it. Add a transition, or remove ${remedy}.`,
    );
  field.options?.forEach(({ value }, index) => {
    if (!reached.has(value)) unreached(joinPointer(path, 'options', index), value, 'the option');
  });
  if (field.to === undefined) return;
  field.transitions?.forEach(({ from }, index) => {
    const lost = from.find((value) => !reached.has(value));
    if (lost !== undefined) unreached(joinPointer(path, 'transitions', index, 'from'), lost, 'this one');
  });
}
