import { formatFilterValue, parseFilterValue, resolveFilterName } from '../lists/filter-text';
import { formerValueProblem } from './check-conditions';
import { checkGroupedBy } from './check-grouping';
import { reportProblem, resolveListPath, type CheckSubject } from './check-context';
import type { DefinedView, Definition } from '../definitions/definition';
import { joinPointer, unknownNameMessage } from '../definitions/problems';
import { propertyOf, requireValue } from '../values/lookups';

/** Checks the views that the list comes with. */
export function checkSavedViews(subject: CheckSubject): void {
  const { saved: savedViews } = subject.definition.list;
  savedViews.forEach((view, index) => {
    const path = joinPointer('/list/saved', index);
    if (savedViews.findIndex(({ name }) => name === view.name) < index)
      reportProblem(subject, joinPointer(path, 'name'), `The view "${view.name}" is duplicated.`);
    if ((subject.definition.list.views as readonly string[]).includes(view.name))
      reportProblem(
        subject,
        joinPointer(path, 'name'),
        `"${view.name}" is also a layout of the list, and both would have the address "?view=${view.name}": rename one.`,
      );
    checkView(subject, path, view);
  });
}

function checkView(subject: CheckSubject, path: string, { settings }: DefinedView): void {
  const { definition } = subject;
  const { list, archive } = definition;
  for (const [name, value] of Object.entries(settings.filters ?? {})) {
    const filterPath = joinPointer(path, 'filter', name);
    if (name === 'archive' && archive) continue;
    if (!resolveFilterName(name, definition)) {
      const filterNames = [...Object.keys(definition.fields), ...Object.keys(definition.parameters)];
      reportProblem(subject, filterPath, unknownNameMessage('filter', name, filterNames));
    } else if (formerFilterValue(definition, name, value) !== undefined)
      reportProblem(
        subject,
        filterPath,
        requireValue(formerFilterValue(definition, name, value), 'the problem of a former value'),
      );
    else if (!isVariableValue(value) && parseFilterValue(name, formatFilterValue(value), definition) === undefined)
      reportProblem(subject, filterPath, `"${name}" cannot be filtered by ${JSON.stringify(value)}.`);
  }
  const sortField = settings.sort?.replace(/^-/, '');
  const sort =
    sortField === undefined ? undefined : resolveListPath(subject, joinPointer(path, 'sort'), sortField, 'compared');
  if (sort && !sort.sortable)
    reportProblem(
      subject,
      joinPointer(path, 'sort'),
      `Lists cannot be sorted by "${sort.name}", a field of type ${sort.type}.`,
    );
  const columns = list.columns.map(({ field }) => field);
  settings.columns?.forEach(({ field }, index) => {
    if (!columns.includes(field))
      reportProblem(subject, joinPointer(path, 'columns', index), unknownNameMessage('column', field, columns));
  });
  if (settings.view !== undefined && !(list.views as readonly string[]).includes(settings.view))
    reportProblem(subject, joinPointer(path, 'view'), `The list has no layout "${settings.view}": add it to "views".`);
  if (typeof settings.group === 'string') checkGroupedBy(subject, joinPointer(path, 'group'), settings.group);
}

function formerFilterValue({ fields }: Definition, name: string, value: unknown): string | undefined {
  return Object.hasOwn(fields, name) ? formerValueProblem(propertyOf(fields, name), value) : undefined;
}

/** `$actor.id`, which is known when the view is opened. */
const isVariableValue = (value: unknown) =>
  typeof value === 'string' && /^\$actor\.(id|level|role_id|site_id)$/.test(value);
