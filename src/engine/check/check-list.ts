import { fieldTypeOf } from '../field-types';
import { isIcon } from '../field-types/icon';
import { isEditableInline } from '../lists/inline-edit';
import { isRelation } from '../field-types/relation';
import { checkCharts } from './check-charts';
import { checkCondition } from './check-conditions';
import { checkGrouping } from './check-grouping';
import { checkDayViews, checkGallery } from './check-views';
import { checkKanban } from './check-kanban';
import { checkSavedViews } from './check-saved';
import { checkTree } from './check-tree';
import { checkListTabs, checkPreset, checkQuery, checkRecordValue } from './check-tabs';
import {
  reportProblem,
  resolveField,
  resolveListPath,
  resolvePath,
  resolveReadableField,
  type CheckSubject,
} from './check-context';
import type { RowAction } from '../definitions/definition';
import { templateFields } from '../definitions/labels';
import { joinPointer, unknownNameMessage } from '../definitions/problems';

/** Checks the list: columns, filters, cards and actions must refer to existing names. */
export function checkList(subject: CheckSubject): void {
  const { list, archive } = subject.definition;
  checkColumns(subject);
  checkSorting(subject);
  checkFilters(subject);
  checkCard(subject);
  checkListTabs(subject);
  checkSavedViews(subject);
  checkCharts(subject);
  checkKanban(subject);
  checkDayViews(subject);
  checkGallery(subject);
  checkTree(subject);
  checkGrouping(subject);
  list.actions.forEach((action, index) => checkAction(subject, joinPointer('/list/actions', index), action));
  if (!archive && list.actions.some((action) => action.name === 'unarchive')) {
    reportProblem(subject, '/list/actions', '"unarchive" needs records that can be archived: set "archive": true.');
  }
  if (!subject.definition.copy && list.actions.some((action) => action.name === 'copy')) {
    reportProblem(subject, '/list/actions', '"copy" needs records that can be copied: set "copy": {}.');
  }
  if (list.views.includes('cards') && !list.card)
    reportProblem(subject, '/list/views', 'The view "cards" needs a "card".');
  list.highlight.forEach(({ where: condition, lateSince }, index) => {
    const highlightPath = Array.isArray(subject.source.list?.highlight)
      ? joinPointer('/list/highlight', index)
      : '/list/highlight';
    checkCondition(subject, `${highlightPath}/where`, condition, { withoutRelated: 'screen' });
    const field = lateSince === undefined ? undefined : subject.definition.fields[lateSince];
    if (field && fieldTypeOf(field).holds !== 'day')
      reportProblem(
        subject,
        `${highlightPath}/lateSince`,
        `"${lateSince}" is of type ${field.type}. Name a date field.`,
      );
  });
  const columnNames = new Set(list.columns.map(({ field }) => field));
  subject.definition.export?.columns.forEach((name, index) => {
    if (!columnNames.has(name) && !subject.definition.fields[name])
      reportProblem(subject, joinPointer('/export/columns', index), `There is no field or column "${name}".`);
  });
  checkWritable(subject, '/list/bulkEdit', list.bulkEdit);
  if (subject.source.list?.inlineEdit) checkInlineEdit(subject);
}

function checkWritable(subject: CheckSubject, path: string, names: readonly string[]): void {
  names.forEach((name, index) => {
    const field = resolveField(subject, joinPointer(path, index), name);
    if (field?.readOnly) reportProblem(subject, joinPointer(path, index), `"${name}" cannot be written.`);
  });
}

function checkInlineEdit(subject: CheckSubject): void {
  const { definition } = subject;
  checkWritable(subject, '/list/inlineEdit', definition.list.inlineEdit);
  definition.list.inlineEdit.forEach((name, index) => {
    const field = definition.fields[name];
    if (!field || isEditableInline(field)) return;
    const path = joinPointer('/list/inlineEdit', index);
    reportProblem(
      subject,
      path,
      `"${name}" is of type ${field.type}, which a cell has no room for. Edit it in the form.`,
    );
  });
}

function checkColumns(subject: CheckSubject): void {
  if (!subject.source.list?.columns) return;
  const fieldNames = new Set<string>();
  subject.definition.list.columns.forEach((column, index) => {
    const path = joinPointer('/list/columns', index);
    resolveListPath(subject, path, column.field);
    if (fieldNames.has(column.field)) reportProblem(subject, path, `The column "${column.field}" is duplicated.`);
    fieldNames.add(column.field);
    column.secondLine?.forEach((name, position) =>
      resolveListPath(subject, joinPointer(path, 'secondLine', position), name),
    );
    column.parts?.forEach((part, position) => {
      const fieldPath = joinPointer(path, 'parts', position, 'field');
      const field = resolveReadableField(subject, fieldPath, part.field);
      if (field && fieldTypeOf(field).holds !== 'number')
        reportProblem(subject, fieldPath, `"${part.field}" is of type ${field.type}: the parts of a bar are numbers.`);
    });
  });
}

function checkSorting(subject: CheckSubject): void {
  const { sort, sortChoices } = subject.definition.list;
  const check = (path: string, name: string) => {
    const field = resolveListPath(subject, path, name, 'compared');
    if (field && !field.sortable)
      reportProblem(subject, path, `Lists cannot be sorted by "${name}", a field of type ${field.type}.`);
  };
  check('/list/sort', sort.field);
  sortChoices.forEach((name, index) => check(joinPointer('/list/sortChoices', index), name));
}

function checkFilters(subject: CheckSubject): void {
  const { list, fields, parameters } = subject.definition;
  const names = list.filters.map((filter) => filter.name);
  for (const filter of list.filters) {
    const path = joinPointer('/list/filters', filter.name);
    const field = Object.hasOwn(fields, filter.field) ? fields[filter.field] : undefined;
    const parameter = Object.hasOwn(parameters, filter.field) ? parameters[filter.field] : undefined;
    if (filter.field.includes('.') && !resolveListPath(subject, path, filter.field, 'compared')) continue;
    if (!field && !parameter) {
      reportProblem(
        subject,
        path,
        unknownNameMessage('field or parameter', filter.field, [...Object.keys(fields), ...Object.keys(parameters)]),
      );
      continue;
    }
    if (field?.secret) resolveReadableField(subject, path, filter.field);
    else if (field && !parameter && !field.filterable)
      reportProblem(subject, path, `Lists cannot be filtered by "${filter.field}".`);
    if (filter.range && !(field && fieldTypeOf(field).hasRangeFilter))
      reportProblem(subject, joinPointer(path, 'range'), 'Only dates, times and numbers have ranges.');
    if (!filter.choices) continue;
    const target = subject.registry.get(field?.to ?? parameter?.resource ?? '');
    if (!target) reportProblem(subject, joinPointer(path, 'choices'), 'Only a filter on a relation has choices.');
    else
      checkCondition(subject, joinPointer(path, 'choices'), filter.choices, {
        definition: target,
        parameters: true,
        form: names,
      });
  }
}

function checkCard(subject: CheckSubject): void {
  const { card } = subject.definition.list;
  if (!card) return;
  checkTemplate(subject, '/list/card/title', card.title);
  checkTemplate(subject, '/list/card/subtitle', card.subtitle ?? '');
  if (card.mark !== 'initials' && card.mark !== 'none') {
    const field = resolvePath(subject, '/list/card/mark', card.mark);
    if (field && !isIcon(field)) reportProblem(subject, '/list/card/mark', `"${card.mark}" is not an icon field.`);
  }
  if (card.key !== undefined) {
    resolveReadableField(subject, '/list/card/key', card.key);
    if (card.mark !== 'none')
      reportProblem(subject, '/list/card/key', 'Only a card with "mark": "none" shows a key above its title.');
  }
  card.marks.forEach((mark, index) => resolveListPath(subject, joinPointer('/list/card/marks', index), mark));
  card.lines.forEach((line, index) => resolveListPath(subject, joinPointer('/list/card/lines', index), line.field));
  const person = card.person === undefined ? undefined : resolveField(subject, '/list/card/person', card.person);
  if (person && !isRelation(person)) reportProblem(subject, '/list/card/person', `"${person.name}" is not a relation.`);
  card.counts.forEach((count, index) => {
    const path = joinPointer('/list/card/counts', index);
    const field = resolveField(subject, joinPointer(path, 'field'), count.field);
    if (field && field.countName === undefined) {
      reportProblem(subject, joinPointer(path, 'field'), `"${count.field}" has no count: it is of type ${field.type}.`);
    }
  });
}

/** Checks that a template names fields, or paths through embeds. */
export function checkTemplate(subject: CheckSubject, path: string, template: string): void {
  for (const name of templateFields(template)) resolvePath(subject, path, name);
}

const builtInActions = ['edit', 'view', 'copy', 'delete', 'unarchive'];

function checkAction(subject: CheckSubject, path: string, action: RowAction): void {
  checkCondition(subject, joinPointer(path, 'visible'), action.visible, { withoutRelated: 'screen' });
  if (action.goTo) checkQuery(subject, joinPointer(path, 'goTo'), action.goTo.resource, 'filter', action.goTo.filter);
  checkCondition(subject, joinPointer(path, 'visibleOnRecord'), action.visibleOnRecord, { withoutRelated: 'screen' });
  for (const [name, value] of Object.entries(action.calls?.body ?? {}))
    checkRecordValue(subject, joinPointer(path, 'calls', 'body', name), value);
  if (action.calls?.idsProperty !== undefined && action.calls.path.includes('{id}'))
    reportProblem(
      subject,
      joinPointer(path, 'calls', 'idsProperty'),
      'A call on several records has their ids in its body. Take "{id}" out of its path.',
    );
  if (action.calls?.afterCreate && !(action.calls.shows?.secret && subject.definition.form.dialog?.side))
    reportProblem(
      subject,
      joinPointer(path, 'calls', 'afterCreate'),
      'Only a call that shows a secret is made after a record was added, in a form at the side. Set "secret" in "shows", and "side" in "form.dialog".',
    );
  if (action.opens) checkPreset(subject, joinPointer(path, 'opens'), action.opens);
  if (action.screen) checkTemplate(subject, joinPointer(path, 'screen'), action.screen);
  const actionNames = [...builtInActions, ...Object.keys(subject.definition.requests)];
  if (action.goTo || action.screen || action.opens || action.calls || actionNames.includes(action.name)) return;
  reportProblem(
    subject,
    path,
    `${unknownNameMessage('row action', action.name, actionNames)} A custom action needs "goTo", "screen", "opens" or "calls".`,
  );
}
