import { fieldTypeOf } from '../field-types';
import { joinPointer } from '../definitions/problems';
import { reportProblem, resolveField, type CheckSubject } from './check-context';

/** Checks the switcher: one resource has it, and its counts are numbers. */
export function checkSwitcher(subject: CheckSubject): void {
  const { definition, registry } = subject;
  const switcher = definition.menu?.switcher;
  if (!switcher) return;
  const rival = [...registry.definitions.values()].find(
    ({ name, menu }) => name !== definition.name && menu?.switcher !== undefined,
  );
  if (rival)
    reportProblem(
      subject,
      '/menu/switcher',
      `"${rival.name}" has a switcher, and lists are narrowed to one record. Remove one of both.`,
    );
  switcher.counts.forEach((count, index) => {
    const path = joinPointer('/menu/switcher/counts', index, 'field');
    const field = resolveField(subject, path, count.field);
    if (field && fieldTypeOf(field).holds !== 'number')
      reportProblem(subject, path, `"${field.name}" is no number. Name a number, such as a rollup that counts.`);
  });
}
