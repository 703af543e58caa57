import { columnTypeOf, fieldTypeOf, typeNamesWhere } from '../field-types';
import { checkCondition } from './check-conditions';
import { checkTemplate } from './check-list';
import { reportProblem, resolveField, resolveReadableField, type CheckSubject } from './check-context';
import { checkFormTabs } from './check-tabs';
import { templateFields } from '../definitions/labels';
import { joinPointer } from '../definitions/problems';
import type { FormSource } from '../language/source';

/** Checks titles, the details of choices, the form's sections and redirects, and the confirmations before deleting. */
export function checkForm(subject: CheckSubject): void {
  const { definition } = subject;
  checkTitles(subject);
  checkChoices(subject);
  checkSections(subject);
  checkKept(subject);
  checkFormTabs(subject);
  definition.form.redirects.forEach((redirect, index) => {
    checkTemplate(subject, joinPointer('/form/redirects', index, 'to'), redirect.to);
    checkCondition(subject, joinPointer('/form/redirects', index, 'where'), redirect.where, {
      withoutRelated: 'screen',
    });
  });
  definition.delete.confirmations.forEach((confirmation, index) =>
    checkCondition(subject, joinPointer('/delete/confirmations', index, 'where'), confirmation.where, {
      withoutRelated: 'screen',
    }),
  );
}

function checkTitles(subject: CheckSubject): void {
  const { definition, source } = subject;
  checkTemplate(subject, '/recordTitle', definition.recordTitle);
  if (source.recordTitle !== undefined && templateFields(source.recordTitle).length === 0) {
    reportProblem(subject, '/recordTitle', 'The title must contain a field of the record, such as "{name}".');
  }
  for (const [key, title] of Object.entries(source.titles ?? {})) {
    const fields = Object.values(definition.fields).filter(({ secret }) => !secret);
    const placeholders = key === 'list' ? ['total'] : fields.map(({ name }) => name);
    for (const name of templateFields(title)) {
      if (placeholders.includes(name)) continue;
      reportProblem(
        subject,
        joinPointer('/titles', key),
        `Unknown placeholder "{${name}}".${key === 'list' ? ' The title of a list supports only {total}.' : ''}`,
      );
    }
  }
}

function checkChoices(subject: CheckSubject): void {
  subject.source.choices?.detail?.forEach((name, index) => {
    const path = joinPointer('/choices/detail', index);
    const field = resolveReadableField(subject, path, name);
    if (!field || (fieldTypeOf(field).isDetail && columnTypeOf(field) !== null && !field.multiple)) return;
    reportProblem(
      subject,
      path,
      `"${name}" is not suitable beside a title. Use a stored field of type ${typeNamesWhere(
        ({ isDetail }) => isDetail === true,
      )
        .slice(0, -1)
        .join(', ')} or relation.`,
    );
  });
}

function checkSections(subject: CheckSubject): void {
  if (!subject.source.form?.sections) return;
  const sectionsByField = new Map<string, string>();
  subject.source.form.sections.forEach((section, index) => {
    section.fields.forEach((name, position) => {
      const path = joinPointer('/form/sections', index, 'fields', position);
      if (!resolveField(subject, path, name)) return;
      const otherSection = sectionsByField.get(name);
      if (otherSection !== undefined)
        reportProblem(subject, path, `"${name}" is already in the section "${otherSection}".`);
      sectionsByField.set(name, section.label);
    });
    checkAlternatives(subject, section, joinPointer('/form/sections', index, 'alternatives'));
    checkOnDemand(subject, section, joinPointer('/form/sections', index, 'onDemand'));
  });
  for (const field of Object.values(subject.definition.fields)) {
    if (
      !field.requiredInForm ||
      field.system ||
      field.readOnly ||
      field.default !== undefined ||
      sectionsByField.has(field.name)
    )
      continue;
    reportProblem(subject, '/form/sections', `"${field.name}" is required, but is not in any section.`);
  }
}

/** Alternatives share out fields of their section, none of which a record needs: it can be hidden. */
function checkAlternatives(subject: CheckSubject, section: WrittenSection, alternativesPath: string): void {
  const alternativesByField = new Map<string, string>();
  section.alternatives?.forEach(({ label, fields }, index) => {
    fields.forEach((name, position) => {
      const path = joinPointer(alternativesPath, index, 'fields', position);
      const otherAlternative = alternativesByField.get(name);
      if (!section.fields.includes(name))
        return reportProblem(subject, path, `"${name}" is not in the section "${section.label}". Add it to "fields".`);
      if (otherAlternative !== undefined)
        return reportProblem(subject, path, `"${name}" is already in the alternative "${otherAlternative}".`);
      alternativesByField.set(name, label);
      if (subject.definition.fields[name]?.requiredInForm)
        reportProblem(
          subject,
          path,
          `"${name}" is required, but hidden while another alternative is shown. Leave it out of the alternatives.`,
        );
    });
  });
}

/** Fields behind buttons are of their section, and none of them is needed. */
function checkOnDemand(subject: CheckSubject, section: WrittenSection, listPath: string): void {
  section.onDemand?.forEach((name, position) => {
    const path = joinPointer(listPath, position);
    if (!section.fields.includes(name))
      reportProblem(subject, path, `"${name}" is not in the section "${section.label}". Add it to "fields".`);
    else if (subject.definition.fields[name]?.requiredInForm)
      reportProblem(subject, path, `"${name}" is required, but behind a button. Leave it out of "onDemand".`);
  });
}

/** The kinds of values that stay for the next record. */
const keptKinds = new Set(['text', 'number', 'boolean', 'day', 'instant', 'time', 'minutes', 'record']);

/** Values stay for the next record where the form shows them. */
function checkKept(subject: CheckSubject): void {
  const { sections, keep } = subject.definition.form;
  const shownNames = sections.flatMap((section) => section.fields);
  keep?.forEach((name, index) => {
    const path = joinPointer('/form/keep', index);
    const field = resolveField(subject, path, name);
    if (!field) return;
    if (!shownNames.includes(name)) reportProblem(subject, path, `"${name}" is not in the form. Add it to a section.`);
    else if (field.secret || !keptKinds.has(fieldTypeOf(field).holds))
      reportProblem(subject, path, `"${name}" is of type ${field.type}, whose values do not stay for the next record.`);
  });
}

type WrittenSection = NonNullable<FormSource['sections']>[number];
