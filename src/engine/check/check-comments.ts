import { isRelation } from '../field-types/relation';
import { isRelations } from '../field-types/relations';
import { reportProblem, resolveField, type CheckSubject } from './check-context';
import { joinPointer } from '../definitions/problems';

/** Checks comments: their records belong to companies, and those who watch them are users. */
export function checkComments(subject: CheckSubject): void {
  const { definition } = subject;
  if (!definition.comments) return;
  if (definition.system)
    reportProblem(
      subject,
      '/comments',
      'The program writes these records: nobody comments on them. Remove "comments".',
    );
  // A record that several companies see would show each the comments of the others.
  else if (definition.scope !== 'company')
    reportProblem(
      subject,
      '/comments',
      'Only records that belong to companies have comments: remove "comments", or set "scope" to "company".',
    );
  if (!definition.comments.form && !definition.page)
    reportProblem(
      subject,
      '/comments/form',
      'Without a page the form is the only place of comments: add "page", or remove "form".',
    );
  const people = definition.fields.created_by?.to;
  definition.comments.watchers.forEach((name, index) => {
    const path = joinPointer('/comments/watchers', index);
    const field = resolveField(subject, path, name);
    if (field && !((isRelation(field) || isRelations(field)) && field.to === people))
      reportProblem(subject, path, `"${name}" does not refer to users. Name a relation to "${people}".`);
  });
}
