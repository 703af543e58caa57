import { optionValues } from '../field-types/select';
import { checkCondition } from './check-conditions';
import { reportProblem, resolveField, resolveReadableField, resolveResource, type CheckSubject } from './check-context';
import type { Definition, Field, Parameter } from '../definitions/definition';
import { templateFields } from '../definitions/labels';
import { joinPointer, unknownNameMessage } from '../definitions/problems';

/** Checks the tabs of the list: unique names and valid filters. */
export function checkListTabs(subject: CheckSubject): void {
  const { tabs } = subject.definition.list;
  checkTabNames(subject, '/list/tabs', tabs);
  tabs.forEach((tab, index) => {
    const path = joinPointer('/list/tabs', index);
    for (const name of templateFields(tab.label)) {
      if (name !== 'total')
        reportProblem(
          subject,
          joinPointer(path, 'label'),
          `Unknown placeholder "{${name}}": the label of a tab supports only {total}.`,
        );
    }
    checkQueryNames(subject, joinPointer(path, 'filter'), subject.definition, tab.filter);
    if (tab.linkOnly && index === 0)
      reportProblem(
        subject,
        joinPointer(path, 'linkOnly'),
        'The first tab cannot be linkOnly: it is shown when the address names no tab.',
      );
  });
}

/** Checks the tabs of the form: lists that there are, and queries that they take. */
export function checkFormTabs(subject: CheckSubject): void {
  const { tabs, dialog, popup } = subject.definition.form;
  checkTabNames(subject, '/form/tabs', tabs);
  if (dialog && tabs.some(({ pageOnly }) => !pageOnly))
    reportProblem(subject, '/form/tabs', 'A form in a dialog has no tabs.');
  if (popup && dialog) reportProblem(subject, '/form/popup', 'A form is either a dialog or a popup, not both.');
  tabs.forEach((tab, index) => {
    const path = joinPointer('/form/tabs', index);
    if (tab.pageOnly && !subject.definition.page?.related.includes(tab.name))
      reportProblem(
        subject,
        joinPointer(path, 'pageOnly'),
        `Nothing shows this tab: name "${tab.name}" in "related" of the page.`,
      );
    checkCondition(subject, joinPointer(path, 'visible'), tab.visible, { withoutRelated: 'screen' });
    checkQuery(subject, path, tab.resource, 'filter', tab.filter, 'resource');
    if (subject.registry.get(tab.resource)) checkPreset(subject, path, { resource: tab.resource, values: tab.values });
  });
}

function checkTabNames(subject: CheckSubject, path: string, tabs: readonly { name: string }[]): void {
  tabs.forEach(({ name }, index) => {
    if (tabs.findIndex((otherTab) => otherTab.name === name) < index)
      reportProblem(subject, joinPointer(path, index, 'name'), `The tab "${name}" is duplicated.`);
  });
}

/** Checks the query of another resource's list at `path/{key}`; its resource is at `path/{where}`. */
export function checkQuery(
  subject: CheckSubject,
  path: string,
  resource: string,
  key: string,
  query: Readonly<Record<string, unknown>>,
  resourceKey = 'resource',
): void {
  const target = resolveResource(subject, joinPointer(path, resourceKey), resource);
  if (target) checkQueryNames(subject, joinPointer(path, key), target, query);
}

/** Checks the values of a new record: its fields, and `$record.…` of this definition. */
export function checkPreset(
  subject: CheckSubject,
  path: string,
  {
    resource,
    ...preset
  }: { resource: string } & Partial<Record<'values' | 'initial', Readonly<Record<string, unknown>>>>,
): void {
  const target = resolveResource(subject, joinPointer(path, 'resource'), resource);
  for (const key of ['values', 'initial'] as const)
    for (const [name, value] of Object.entries(preset[key] ?? {})) {
      if (target) resolveField(subject, joinPointer(path, key, name), name, target);
      checkRecordValue(subject, joinPointer(path, key, name), value);
    }
}

function checkQueryNames(
  subject: CheckSubject,
  path: string,
  target: Definition,
  query: Readonly<Record<string, unknown>>,
): void {
  for (const [name, value] of Object.entries(query)) {
    const namePath = joinPointer(path, name);
    const parameter = Object.hasOwn(target.parameters, name) ? target.parameters[name] : undefined;
    const field = parameter ? fieldOf(parameter, target) : resolveReadableField(subject, namePath, name, target);
    if (field) checkOptions(subject, namePath, field, value);
    if (parameter?.kind === 'named' && !Object.hasOwn(parameter.conditions ?? {}, String(value)))
      reportProblem(
        subject,
        namePath,
        unknownNameMessage('value', String(value), Object.keys(parameter.conditions ?? {})),
      );
    checkRecordValue(subject, namePath, value);
  }
}

/** The field whose values a parameter takes as they are; undefined if it means something else. */
function fieldOf({ kind, field, where: condition }: Parameter, { fields }: Definition): Field | undefined {
  return kind === 'value' && field !== undefined && !condition ? fields[field] : undefined;
}

/** Reports values that are no options of a field with options: one, a list of them, or a text with commas between them. */
function checkOptions(subject: CheckSubject, path: string, { options }: Field, value: unknown): void {
  if (!options) return;
  const names = options.map((option) => String(option.value));
  const isOption = (text: string) => options.flatMap(optionValues).map(String).includes(text);
  const texts = [value].flat().filter((entry) => typeof entry === 'string' || typeof entry === 'number');
  for (const text of texts.map(String).flatMap((text) => (isOption(text) ? [] : text.split(','))))
    if (!isOption(text.trim()) && !/^\s*($|\$)/.test(text))
      reportProblem(subject, path, unknownNameMessage('value', text.trim(), names));
}

/** Checks that `$record.…` is of this definition. */
export function checkRecordValue(subject: CheckSubject, path: string, value: unknown): void {
  if (typeof value === 'string' && value.startsWith('$record.'))
    resolveReadableField(subject, path, value.slice('$record.'.length));
}
