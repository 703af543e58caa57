import { fieldTypeOf, typeNamesWhere } from '../field-types';
import { isImage } from '../field-types/image';
import { checkCondition } from './check-conditions';
import { reportProblem, resolveListPath, resolvePath, resolveReadableField, type CheckSubject } from './check-context';
import type { DaysView, Field } from '../definitions/definition';
import { templateFields } from '../definitions/labels';
import { joinPointer } from '../definitions/problems';

const isDay = (field: Field) => ['day', 'instant'].includes(fieldTypeOf(field).holds);

/** Checks the calendar and the timeline: dates or times that lists can be filtered by, and values that have colours and headings. */
export function checkDayViews(subject: CheckSubject): void {
  const { list } = subject.definition;
  for (const view of ['calendar', 'timeline'] as const) {
    const days = list[view];
    if (days) checkDays(subject, `/list/${view}`, days);
    else if (list.views.includes(view))
      reportProblem(subject, '/list/views', `The view "${view}" needs a "${view}" with the dates of a record.`);
  }
}

function checkDays(subject: CheckSubject, path: string, days: DaysView): void {
  const { start, end, title, colour, person, group, done: doneCondition } = days;
  const day = (key: 'start' | 'end', name: string) => {
    const dayPath = joinPointer(path, key);
    const field = resolveReadableField(subject, dayPath, name);
    if (!field) return;
    if (!isDay(field))
      reportProblem(
        subject,
        dayPath,
        `"${name}" must be of type ${typeNamesWhere(({ holds: valueKind }) => valueKind === 'day' || valueKind === 'instant').join(' or ')}, but is of type ${field.type}.`,
      );
    else if (!field.filterable)
      reportProblem(
        subject,
        dayPath,
        `Lists cannot be filtered by "${name}", so its days could not be loaded. Use a stored field.`,
      );
  };
  day('start', start);
  if (end !== undefined) day('end', end);
  if (end === start)
    reportProblem(
      subject,
      joinPointer(path, 'end'),
      `"${start}" is the start too. Name another field, or leave "end" out: then a record takes one day.`,
    );
  for (const name of templateFields(title ?? '')) resolvePath(subject, joinPointer(path, 'title'), name);
  checkChoice(subject, joinPointer(path, 'colour'), colour, 'has no colours');
  checkChoice(subject, joinPointer(path, 'group'), group, 'makes no headings');
  const relation =
    person === undefined ? undefined : resolveReadableField(subject, joinPointer(path, 'person'), person);
  if (relation && !isOneRecord(relation))
    reportProblem(subject, joinPointer(path, 'person'), `"${relation.name}" is not a relation.`);
  checkCondition(subject, joinPointer(path, 'done'), doneCondition, { withoutRelated: 'screen' });
}

const isOneRecord = (field: Field) => fieldTypeOf(field).holds === 'record' && !field.inverse;

/** A value of which there is one at most: an option, or another record. */
function checkChoice(subject: CheckSubject, path: string, name: string | undefined, lack: string): void {
  const field = name === undefined ? undefined : resolveReadableField(subject, path, name);
  if (!field || isOneRecord(field) || (field.options !== undefined && !field.multiple)) return;
  reportProblem(
    subject,
    path,
    `"${field.name}" ${lack}: name a relation, or a select with one value; it is of type ${field.type}.`,
  );
}

/** Checks the gallery: an image, and fields that a card can show. */
export function checkGallery(subject: CheckSubject): void {
  const { views, gallery } = subject.definition.list;
  if (!gallery) {
    if (views.includes('gallery')) reportProblem(subject, '/list/views', 'The view "gallery" needs a "gallery".');
    return;
  }
  const path = '/list/gallery';
  const { image, title, fields } = gallery;
  const picture = image === undefined ? undefined : resolveReadableField(subject, joinPointer(path, 'image'), image);
  if (picture && !isImage(picture))
    reportProblem(
      subject,
      joinPointer(path, 'image'),
      `"${picture.name}" is of type ${picture.type}. Name a field of type image, or leave "image" out.`,
    );
  for (const name of templateFields(title ?? '')) resolvePath(subject, joinPointer(path, 'title'), name);
  fields.forEach((name, index) => resolveListPath(subject, joinPointer(path, 'fields', index), name));
}
