import { checkCondition } from './check-conditions';
import { reportProblem, resolveField, type CheckSubject } from './check-context';
import { joinPointer } from '../definitions/problems';

/** Checks the validation rules: a form must be able to evaluate them, and to show the message where it can be obeyed. */
export function checkValidate(subject: CheckSubject): void {
  subject.definition.validate.forEach(({ condition, where: scopeCondition, field: fieldName }, index) => {
    const path = joinPointer('/validate', index);
    const field = resolveField(subject, joinPointer(path, 'field'), fieldName);
    if (field && (field.readOnly || field.system || field.computed !== undefined))
      reportProblem(
        subject,
        joinPointer(path, 'field'),
        `"${fieldName}" cannot be written, so nobody could correct it there. Name a field of the form.`,
      );
    checkCondition(subject, joinPointer(path, 'condition'), condition, { onWrittenValues: true });
    checkCondition(subject, joinPointer(path, 'where'), scopeCondition, { onWrittenValues: true });
    if (Object.keys(condition).length === 0)
      reportProblem(subject, joinPointer(path, 'condition'), 'An empty condition always holds: say what must hold.');
  });
}
