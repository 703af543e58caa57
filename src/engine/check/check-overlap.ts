import { columnTypeOf, isWholeNumber } from '../field-types';
import { reportProblem, resolveReadableField, type CheckSubject } from './check-context';
import { joinPointer } from '../definitions/problems';

/** Checks what must not overlap: the database must be able to enforce it. */
export function checkOverlap(subject: CheckSubject): void {
  const { definition } = subject;
  const rule = definition.noOverlap;
  if (!rule) return;
  if (definition.system)
    return reportProblem(subject, '/noOverlap', 'The program manages the table of this resource: remove "noOverlap".');
  const [start, end] = rule.fields.map((name, index) =>
    resolveReadableField(subject, joinPointer('/noOverlap/fields', index), name),
  );
  const isSpan = start && end && start.name !== end.name && spanTypes.has(columnTypeOf(start) ?? '');
  if (start && end && !(isSpan && columnTypeOf(start) === columnTypeOf(end)))
    reportProblem(
      subject,
      '/noOverlap/fields',
      'These must be two fields of the record, both dates or both date-times.',
    );
  rule.partitionBy.forEach((name, index) => {
    const path = joinPointer('/noOverlap/partitionBy', index);
    const field = resolveReadableField(subject, path, name);
    if (field && !isWholeNumber(columnTypeOf(field)))
      reportProblem(subject, path, `"${name}" must be a relation to one record, or a whole number.`);
  });
}

const spanTypes: ReadonlySet<string> = new Set(['date', 'timestamptz(3)']);
