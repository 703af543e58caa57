import { checkCondition } from './check-conditions';
import { reportProblem, resolveField, type CheckSubject } from './check-context';
import type { Field } from './definition';
import { joinPointer } from './problems';

/** Checks the transitions of a field: they lead between its options, and what they need can be filled in. */
export function checkTransitions(subject: CheckSubject, path: string, field: Field): void {
  const { initial, transitions, options = [] } = field;
  if (field.many)
    for (const key of ['initial', 'transitions'] as const)
      if (field[key] !== undefined)
        return reportProblem(
          subject,
          joinPointer(path, key),
          `A field with several values ("many") has no states. Remove "${key}", or "many".`,
        );
  const offered = options.map(({ value }) => value);
  const checkValue = (here: string, value: string | number) => {
    if (!offered.includes(value))
      reportProblem(
        subject,
        here,
        `${JSON.stringify(value)} is not an option of this field: ${offered.map((one) => JSON.stringify(one)).join(', ')}.`,
      );
  };
  if (initial !== undefined) checkValue(joinPointer(path, 'initial'), initial);
  if (initial !== undefined && field.default !== initial)
    reportProblem(subject, joinPointer(path, 'default'), 'A new record gets the value of "initial": remove "default".');
  transitions?.forEach(({ from, to, when, needs }, index) => {
    const here = joinPointer(path, 'transitions', index);
    from.forEach((value) => checkValue(joinPointer(here, 'from'), value));
    to.forEach((value) => checkValue(joinPointer(here, 'to'), value));
    const stays = from.find((value) => to.includes(value));
    if (stays !== undefined)
      reportProblem(subject, joinPointer(here, 'to'), `${JSON.stringify(stays)} to itself is no change: remove it.`);
    checkCondition(subject, joinPointer(here, 'when'), when, { withoutRelated: 'row' });
    needs.forEach((name, place) => {
      const needed = resolveField(subject, joinPointer(here, 'needs', place), name);
      if (needed && (needed.readOnly || needed.system || needed === field))
        reportProblem(
          subject,
          joinPointer(here, 'needs', place),
          `"${name}" cannot be filled in with the change. Name a field that users can write.`,
        );
    });
  });
  if (transitions && initial !== undefined) checkReachable(subject, path, field, initial);
}

/** A value that nobody can ever choose is a mistake: a transition that was forgotten, or an option too many. */
function checkReachable(subject: CheckSubject, path: string, field: Field, initial: string | number): void {
  const reached = new Set([initial]);
  for (let size = 0; size < reached.size;) {
    size = reached.size;
    for (const { from, to } of field.transitions ?? [])
      if (from.some((value) => reached.has(value))) to.forEach((value) => reached.add(value));
  }
  field.options?.forEach(({ value }, index) => {
    if (reached.has(value)) return;
    reportProblem(
      subject,
      joinPointer(path, 'options', index),
      `No transition leads from ${JSON.stringify(initial)} to ${JSON.stringify(value)}, so no record could get it. Add a transition, or remove the option.`,
    );
  });
}
