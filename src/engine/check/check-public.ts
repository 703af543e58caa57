import { fieldTypeOf } from '../field-types';
import { email } from '../field-types/email';
import { isInverse } from '../field-types/inverse';
import { parseJsonValue } from '../field-types/parse-json-value';
import { isPermissions } from '../field-types/permissions';
import { isAnyRelation } from '../field-types/relation';
import { isRows } from '../field-types/rows';
import { isShareLink } from '../field-types/share-link';
import { reportProblem, resolveField, type CheckSubject } from './check-context';
import type { Field, PublicForm } from '../definitions/definition';
import { joinPointer } from '../definitions/problems';

const createPath = '/public/create';

/** Checks the public form: visitors must be able to fill in its fields, and a record must come of it. */
export function checkPublic(subject: CheckSubject): void {
  const { definition } = subject;
  const form = definition.public?.create;
  if (!form) return;
  if (definition.system)
    return reportProblem(subject, createPath, 'The program writes the records of this resource: remove "create".');
  if (definition.scope !== 'company')
    reportProblem(
      subject,
      createPath,
      `An address of a public form belongs to a company: set "scope": "company", or remove "create".`,
    );
  form.fields.forEach((name, index) => checkField(subject, joinPointer(createPath, 'fields', index), name));
  checkValues(subject, form);
  checkRequired(subject, form);
  checkMail(subject, form);
}

function checkField(subject: CheckSubject, path: string, name: string): void {
  const field = resolveField(subject, path, name);
  if (!field) return;
  const problem = problemOf(field);
  if (problem !== undefined) return reportProblem(subject, path, `"${name}" ${problem} Take it out of the form.`);
  if (!isAnyRelation(field)) return;
  const target = subject.registry.get(field.to);
  if (target && !target.public?.choices)
    reportProblem(
      subject,
      path,
      `Visitors may not see the records of ${target.name}: set "public": { "choices": true } there, or take "${name}" out of the form.`,
    );
}

/** The reason why nobody without an account can fill in a field. */
function problemOf(field: Field): string | undefined {
  const type = fieldTypeOf(field);
  if (field.system || field.readOnly || field.computed !== undefined || type.isDerived || isInverse(field))
    return 'cannot be written.';
  if (field.secret || type.isPrivate || type.isHashed || isPermissions(field) || isShareLink(field))
    return `is of type ${field.type}, which is only for people with an account.`;
  return isRows(field) ? 'holds rows, which a public form does not have.' : undefined;
}

function checkValues(subject: CheckSubject, { fields, values }: PublicForm): void {
  for (const [name, value] of Object.entries(values)) {
    const path = joinPointer(createPath, 'values', name);
    const field = resolveField(subject, path, name);
    if (!field) continue;
    if (fields.includes(name))
      reportProblem(subject, path, `"${name}" is in the form: take it out of "fields" or out of "values".`);
    else if (problemOf(field) !== undefined) reportProblem(subject, path, `"${name}" ${problemOf(field)} Remove it.`);
    else if (parseJsonValue(field, value) === undefined)
      reportProblem(subject, path, `${JSON.stringify(value)} is no value of "${name}", a field of type ${field.type}.`);
  }
}

/** Without these a record could never be stored. */
function checkRequired(subject: CheckSubject, { fields, values }: PublicForm): void {
  for (const field of Object.values(subject.definition.fields)) {
    const { name } = field;
    if (field.system || field.readOnly || !field.required || fields.includes(name) || Object.hasOwn(values, name))
      continue;
    const isOfActor = typeof field.default === 'string' && field.default.startsWith('$actor');
    if (field.default === undefined || isOfActor)
      reportProblem(
        subject,
        joinPointer(createPath, 'fields'),
        `"${name}" is required: add it to "fields", or give it a value in "values".`,
      );
  }
}

function checkMail(subject: CheckSubject, { fields, mail }: PublicForm): void {
  if (!mail) return;
  const path = joinPointer(createPath, 'mail', 'address');
  const field = resolveField(subject, path, mail.address);
  if (field && (fieldTypeOf(field) !== email || !fields.includes(field.name)))
    reportProblem(subject, path, `"${field.name}" must be a field of type email that is in "fields".`);
}
