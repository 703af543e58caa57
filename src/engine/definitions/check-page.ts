import { fieldTypeOf } from '../field-types';
import { isInverse } from '../field-types/inverse';
import { isRelation } from '../field-types/relation';
import { reportProblem, resolveField, resolveReadableField, type CheckSubject } from './check-context';
import { checkQuery } from './check-tabs';
import type { StreamSource } from './definition';
import { templateFields } from './labels';
import { joinPointer, unknownNameMessage } from './problems';

/** Names that the stream's filter has anyway. */
const ownFilters = ['all', 'comments', 'changes'];

/** Checks the page of a record: its fields, its lists of related records, and what its stream tells of. */
export function checkPage(subject: CheckSubject): void {
  const { definition, source } = subject;
  if (definition.list.rowClick === 'page' && !definition.page)
    reportProblem(subject, '/list/rowClick', '"page" needs a page of the record: set "page": true.');
  const screen = definition.list.actions.find((action) => action.screen)?.screen;
  if (definition.list.rowClick === 'screen' && !(screen && !/\{(?!id\})/.test(screen)))
    reportProblem(
      subject,
      '/list/rowClick',
      '"screen" needs an action with a screen whose path has no name but {id}: "/orders/{id}/pack".',
    );
  const { page } = definition;
  if (!page || typeof source.page !== 'object') return;
  const { chips = [], rail = [], sections = [], related = [] } = source.page;
  const checkNames = (path: string, names: readonly string[]) =>
    names.forEach((name, index) => resolveReadableField(subject, joinPointer(path, index), name));
  checkNames('/page/chips', chips);
  checkNames('/page/rail', rail);
  const placed = new Set<string>();
  sections.forEach((section, index) => {
    const path = joinPointer('/page/sections', index, 'fields');
    checkNames(path, section.fields);
    section.fields.forEach((name, place) => {
      if (placed.has(name))
        reportProblem(subject, joinPointer(path, place), `"${name}" is in two places of the text: remove one.`);
      placed.add(name);
    });
  });
  related.forEach((name, index) => checkRelated(subject, joinPointer('/page/related', index), name));
  page.stream.forEach((one, index) => checkStream(subject, joinPointer('/page/stream', index), one));
}

function checkRelated(subject: CheckSubject, path: string, name: string): void {
  const { form, fields } = subject.definition;
  if (form.tabs.some((tab) => tab.name === name)) return;
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (field && isInverse(field)) return;
  const known = [...form.tabs, ...Object.values(fields).filter(isInverse)].map((one) => one.name);
  if (field)
    reportProblem(
      subject,
      path,
      `"${name}" has no records that point here. Name a tab of the form or a field of the type inverse.`,
    );
  else reportProblem(subject, path, unknownNameMessage('list of related records', name, known));
}

function checkStream(subject: CheckSubject, path: string, stream: StreamSource): void {
  const { name, resource, filter, time, person, text } = stream;
  const others = subject.definition.page!.stream.filter((one) => one.name === name);
  if (ownFilters.includes(name) || others.length > 1)
    reportProblem(subject, joinPointer(path, 'name'), `"${name}" is taken: choose another name.`);
  checkQuery(subject, path, resource, 'filter', filter, 'resource');
  const target = subject.registry.get(resource);
  if (!target) return;
  const when = resolveReadableField(subject, joinPointer(path, 'time'), time, target);
  if (when && (fieldTypeOf(when).holds !== 'instant' || !when.sortable))
    reportProblem(
      subject,
      joinPointer(path, 'time'),
      `"${time}" is no point in time. Name a field of the type datetime.`,
    );
  const who = person === undefined ? undefined : resolveField(subject, joinPointer(path, 'person'), person, target);
  if (who && !isRelation(who))
    reportProblem(
      subject,
      joinPointer(path, 'person'),
      `"${person}" does not say who. Name a field of the type relation.`,
    );
  for (const field of templateFields(text)) resolveReadableField(subject, joinPointer(path, 'text'), field, target);
}
