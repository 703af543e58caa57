import { fieldTypeOf } from '../field-types';
import { ownScreen } from '../lists/row-actions';
import { isInverse } from '../field-types/inverse';
import { isRelation } from '../field-types/relation';
import { reportProblem, resolveField, resolveReadableField, type CheckSubject } from './check-context';
import { checkQuery } from './check-tabs';
import type { RecordTile, StreamSource } from '../definitions/definition';
import { templateFields } from '../definitions/labels';
import { joinPointer, unknownNameMessage } from '../definitions/problems';
import { requireValue } from '../values/lookups';

/** Names that the stream's filter has anyway. */
const ownFilters = ['all', 'comments', 'changes'];

/** Names of the tabs that a page with tiles has anyway. */
const placeTabs = ['home', 'details'];

/** Checks the page of a record: its fields, its lists of related records, and what its stream tells of. */
export function checkPage(subject: CheckSubject): void {
  const { definition, source } = subject;
  if (definition.list.rowClick === 'page' && !definition.page)
    reportProblem(subject, '/list/rowClick', '"page" needs a page of the record: set "page": true.');
  const screen = ownScreen(definition.list)?.screen;
  if (definition.list.rowClick === 'screen' && !(screen && !/\{(?!id\})/.test(screen)))
    reportProblem(
      subject,
      '/list/rowClick',
      '"screen" needs an action without a condition, with a screen whose path has no name but {id}: "/orders/{id}/pack".',
    );
  const { page } = definition;
  if (!page || typeof source.page !== 'object') return;
  const { chips = [], rail = [], sections = [], related: relatedNames = [] } = source.page;
  const checkNames = (path: string, names: readonly string[]) =>
    names.forEach((name, index) => resolveReadableField(subject, joinPointer(path, index), name));
  checkNames('/page/chips', chips);
  checkNames('/page/rail', rail);
  const placedNames = new Set<string>();
  sections.forEach((section, index) => {
    const path = joinPointer('/page/sections', index, 'fields');
    checkNames(path, section.fields);
    section.fields.forEach((name, position) => {
      if (placedNames.has(name))
        reportProblem(subject, joinPointer(path, position), `"${name}" is in two places of the text: remove one.`);
      placedNames.add(name);
    });
  });
  relatedNames.forEach((name, index) => checkRelated(subject, joinPointer('/page/related', index), name));
  page.stream.forEach((stream, index) => checkStream(subject, joinPointer('/page/stream', index), stream));
  if (page.tiles.length > 0)
    relatedNames.forEach((name, index) => {
      if (placeTabs.includes(name))
        reportProblem(
          subject,
          joinPointer('/page/related', index),
          `"${name}" is the name of a tab that every page with tiles has: name the list otherwise.`,
        );
    });
  page.tiles.forEach((tile, index) => checkTile(subject, joinPointer('/page/tiles', index), tile));
}

function checkRelated(subject: CheckSubject, path: string, name: string): void {
  const { form, fields } = subject.definition;
  if (form.tabs.some((tab) => tab.name === name)) return;
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (field && isInverse(field)) return;
  const relatedLists = [...form.tabs, ...Object.values(fields).filter(isInverse)].map(
    (relatedList) => relatedList.name,
  );
  if (field)
    reportProblem(
      subject,
      path,
      `"${name}" has no records that point here. Name a tab of the form or a field of the type inverse.`,
    );
  else reportProblem(subject, path, unknownNameMessage('list of related records', name, relatedLists));
}

function checkTile(subject: CheckSubject, path: string, { name, resource, filter, columns, sort }: RecordTile): void {
  if (requireValue(subject.definition.page, 'page').tiles.filter((tile) => tile.name === name).length > 1)
    reportProblem(subject, joinPointer(path, 'name'), `"${name}" is taken: choose another name.`);
  checkQuery(subject, path, resource, 'filter', filter, 'resource');
  const target = subject.registry.get(resource);
  if (!target) return;
  const columnNames = target.list.columns.map(({ field }) => field);
  columns?.forEach((column, index) => {
    if (!columnNames.includes(column))
      reportProblem(subject, joinPointer(path, 'columns', index), unknownNameMessage('column', column, columnNames));
  });
  if (sort !== undefined) resolveReadableField(subject, joinPointer(path, 'sort'), sort.replace(/^-/, ''), target);
}

function checkStream(subject: CheckSubject, path: string, stream: StreamSource): void {
  const { name, resource, filter, time, person, text } = stream;
  const sameNames = requireValue(subject.definition.page, 'page').stream.filter((stream) => stream.name === name);
  if (ownFilters.includes(name) || sameNames.length > 1)
    reportProblem(subject, joinPointer(path, 'name'), `"${name}" is taken: choose another name.`);
  checkQuery(subject, path, resource, 'filter', filter, 'resource');
  const target = subject.registry.get(resource);
  if (!target) return;
  const timeField = resolveReadableField(subject, joinPointer(path, 'time'), time, target);
  if (timeField && (fieldTypeOf(timeField).holds !== 'instant' || !timeField.sortable))
    reportProblem(
      subject,
      joinPointer(path, 'time'),
      `"${time}" is no point in time. Name a field of the type datetime.`,
    );
  const personField =
    person === undefined ? undefined : resolveField(subject, joinPointer(path, 'person'), person, target);
  if (personField && !isRelation(personField))
    reportProblem(
      subject,
      joinPointer(path, 'person'),
      `"${person}" does not say who. Name a field of the type relation.`,
    );
  for (const field of templateFields(text)) resolveReadableField(subject, joinPointer(path, 'text'), field, target);
}
