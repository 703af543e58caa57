import { typeOf } from '../field-types';
import { checkCondition } from './check-conditions';
import { checkKanban } from './check-kanban';
import { checkListTabs, checkPreset, checkQuery, checkRecordValue } from './check-tabs';
import { fault, knownMenu, needField, needPath, needReadable, type Subject } from './check-subject';
import type { RowAction } from './definition';
import { templateFields } from './labels';
import { at, unknownName } from './paths';

/** Checks the list: columns, filters, cards and actions must refer to existing names. */
export function checkList(subject: Subject): void {
  const { list, archive } = subject.definition;
  checkColumns(subject);
  checkSorting(subject);
  checkFilters(subject);
  checkCard(subject);
  checkListTabs(subject);
  checkKanban(subject);
  list.actions.forEach((action, index) => checkAction(subject, at('/list/actions', index), action));
  if (!archive && list.actions.some((action) => action.name === 'unarchive')) {
    fault(subject, '/list/actions', '"unarchive" needs records that can be archived: set "archive": true.');
  }
  if (!subject.definition.copy && list.actions.some((action) => action.name === 'copy')) {
    fault(subject, '/list/actions', '"copy" needs records that can be copied: set "copy": {}.');
  }
  if (list.views.includes('cards') && !list.card) fault(subject, '/list/views', 'The view "cards" needs a "card".');
  checkCondition(subject, '/list/highlight/when', list.highlight?.when, { alone: 'screen' });
  const listed = new Set(list.columns.map(({ field }) => field));
  subject.definition.export?.columns.forEach((name, index) => {
    if (!listed.has(name)) fault(subject, at('/export/columns', index), `The list has no column "${name}".`);
  });
  list.bulkEdit.forEach((name, index) => {
    const field = needField(subject, at('/list/bulkEdit', index), name);
    if (field?.readOnly) fault(subject, at('/list/bulkEdit', index), `"${name}" cannot be written.`);
  });
}

function checkColumns(subject: Subject): void {
  if (!subject.source.list?.columns) return;
  const seen = new Set<string>();
  subject.definition.list.columns.forEach((column, index) => {
    const path = at('/list/columns', index);
    needPath(subject, path, column.field);
    if (seen.has(column.field)) fault(subject, path, `The column "${column.field}" is duplicated.`);
    seen.add(column.field);
  });
}

function checkSorting(subject: Subject): void {
  const { sort, sortChoices } = subject.definition.list;
  const check = (path: string, name: string) => {
    const field = needReadable(subject, path, name);
    if (field && !field.sortable)
      fault(subject, path, `Lists cannot be sorted by "${name}", a field of type ${field.type}.`);
  };
  check('/list/sort', sort.field);
  sortChoices.forEach((name, index) => check(at('/list/sortChoices', index), name));
}

function checkFilters(subject: Subject): void {
  const { list, fields, parameters } = subject.definition;
  const names = list.filters.map((filter) => filter.name);
  for (const filter of list.filters) {
    const path = at('/list/filters', filter.name);
    const field = Object.hasOwn(fields, filter.field) ? fields[filter.field] : undefined;
    const parameter = Object.hasOwn(parameters, filter.field) ? parameters[filter.field] : undefined;
    if (!field && !parameter) {
      fault(
        subject,
        path,
        unknownName('field or parameter', filter.field, [...Object.keys(fields), ...Object.keys(parameters)]),
      );
      continue;
    }
    if (field?.secret) needReadable(subject, path, filter.field);
    else if (field && !parameter && !field.filterable)
      fault(subject, path, `Lists cannot be filtered by "${filter.field}".`);
    if (filter.range && !(field && typeOf(field).ranged))
      fault(subject, at(path, 'range'), 'Only dates, times and numbers have ranges.');
    if (!filter.choices) continue;
    const target = subject.registry.get(field?.to ?? parameter?.to ?? '');
    if (!target) fault(subject, at(path, 'choices'), 'Only a filter on a relation has choices.');
    else checkCondition(subject, at(path, 'choices'), filter.choices, { of: target, parameters: true, form: names });
  }
}

function checkCard(subject: Subject): void {
  const { card } = subject.definition.list;
  if (!card) return;
  checkTemplate(subject, '/list/card/title', card.title);
  checkTemplate(subject, '/list/card/subtitle', card.subtitle ?? '');
  if (card.mark !== 'initials' && card.mark !== 'none') {
    const field = needPath(subject, '/list/card/mark', card.mark);
    if (field && field.type !== 'icon') fault(subject, '/list/card/mark', `"${card.mark}" is not an icon field.`);
  }
  card.marks.forEach((mark, index) => needPath(subject, at('/list/card/marks', index), mark));
  card.lines.forEach((line, index) => needPath(subject, at('/list/card/lines', index), line.field));
  const person = card.person === undefined ? undefined : needField(subject, '/list/card/person', card.person);
  if (person && person.type !== 'relation') fault(subject, '/list/card/person', `"${person.name}" is not a relation.`);
  const known = knownMenu(subject);
  card.counts.forEach((count, index) => {
    const path = at('/list/card/counts', index);
    const field = needField(subject, at(path, 'field'), count.field);
    if (field && field.type !== 'inverse' && field.type !== 'relations') {
      fault(subject, at(path, 'field'), `"${count.field}" has no count: it is of type ${field.type}.`);
    }
    if (count.action !== undefined && !known.includes(count.action)) {
      fault(subject, at(path, 'action'), unknownName('row action', count.action, known));
    }
  });
  card.menu.forEach((name, index) => {
    if (!known.includes(name)) fault(subject, at('/list/card/menu', index), unknownName('row action', name, known));
  });
}

/** Checks that a template names fields, or paths through embeds. */
export function checkTemplate(subject: Subject, path: string, template: string): void {
  for (const name of templateFields(template)) needPath(subject, path, name);
}

const knownActions = ['edit', 'view', 'copy', 'delete', 'unarchive'];

function checkAction(subject: Subject, path: string, action: RowAction): void {
  checkCondition(subject, at(path, 'visible'), action.visible, { alone: 'screen' });
  if (action.goTo) checkQuery(subject, at(path, 'goTo'), action.goTo.resource, 'filter', action.goTo.filter);
  checkCondition(subject, at(path, 'visibleOnRecord'), action.visibleOnRecord, { alone: 'screen' });
  for (const [name, value] of Object.entries(action.calls?.body ?? {}))
    checkRecordValue(subject, at(path, 'calls', 'body', name), value);
  if (action.opens) checkPreset(subject, at(path, 'opens'), action.opens);
  const known = [...knownActions, ...Object.keys(subject.definition.requests)];
  if (action.goTo || action.opens || action.calls || known.includes(action.name)) return;
  fault(
    subject,
    path,
    `${unknownName('row action', action.name, known)} A custom action needs "goTo", "opens" or "calls".`,
  );
}
