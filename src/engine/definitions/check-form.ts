import { columnOf } from '../field-types';
import { checkCondition } from './check-conditions';
import { checkTemplate } from './check-list';
import { fault, needField, needReadable, type Subject } from './check-subject';
import { checkFormTabs } from './check-tabs';
import { detailTypes } from '../lists/detail';
import { templateFields } from './labels';
import { at } from './paths';

/** Checks titles, the details of choices, the form's sections and redirects, and the confirmations before deleting. */
export function checkForm(subject: Subject): void {
  const { definition } = subject;
  checkTitles(subject);
  checkChoices(subject);
  checkSections(subject);
  checkFormTabs(subject);
  definition.form.redirects.forEach((redirect, index) => {
    checkCondition(subject, at('/form/redirects', index, 'when'), redirect.when, { alone: 'screen' });
  });
  definition.delete.when.forEach((one, index) =>
    checkCondition(subject, at('/delete/when', index, 'if'), one.if, { alone: 'screen' }),
  );
}

function checkTitles(subject: Subject): void {
  const { definition, source } = subject;
  checkTemplate(subject, '/recordTitle', definition.recordTitle);
  if (source.recordTitle !== undefined && templateFields(source.recordTitle).length === 0) {
    fault(subject, '/recordTitle', 'The title must contain a field of the record, such as "{name}".');
  }
  for (const [key, title] of Object.entries(source.titles ?? {})) {
    const fields = Object.values(definition.fields).filter(({ secret }) => !secret);
    const allowed = key === 'list' ? ['total'] : fields.map(({ name }) => name);
    for (const name of templateFields(title)) {
      if (allowed.includes(name)) continue;
      fault(
        subject,
        at('/titles', key),
        `Unknown placeholder "{${name}}".${key === 'list' ? ' The title of a list supports only {total}.' : ''}`,
      );
    }
  }
}

function checkChoices(subject: Subject): void {
  subject.source.choices?.detail?.forEach((name, index) => {
    const path = at('/choices/detail', index);
    const field = needReadable(subject, path, name);
    if (!field || (detailTypes.has(field.type) && columnOf(field) !== null)) return;
    fault(
      subject,
      path,
      `"${name}" is not suitable beside a title. Use a stored field of type ${[...detailTypes].slice(0, -1).join(', ')} or relation.`,
    );
  });
}

function checkSections(subject: Subject): void {
  if (!subject.source.form?.sections) return;
  const placed = new Map<string, string>();
  subject.source.form.sections.forEach((section, index) => {
    section.fields.forEach((name, place) => {
      const path = at('/form/sections', index, 'fields', place);
      if (!needField(subject, path, name)) return;
      const other = placed.get(name);
      if (other !== undefined) fault(subject, path, `"${name}" is already in the section "${other}".`);
      placed.set(name, section.label);
    });
  });
  for (const field of Object.values(subject.definition.fields)) {
    if (
      !field.requiredInForm ||
      field.system ||
      field.readOnly ||
      field.default !== undefined ||
      placed.has(field.name)
    )
      continue;
    fault(subject, '/form/sections', `"${field.name}" is required, but is not in any section.`);
  }
}
