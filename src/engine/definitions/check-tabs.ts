import { checkCondition } from './check-conditions';
import { fault, needField, needReadable, needResource, type Subject } from './check-subject';
import type { Definition } from './definition';
import { templateFields } from './labels';
import { at, unknownName } from './paths';

/** Checks the tabs of the list: unique names and valid filters. */
export function checkListTabs(subject: Subject): void {
  const { tabs } = subject.definition.list;
  checkTabNames(subject, '/list/tabs', tabs);
  tabs.forEach((tab, index) => {
    const path = at('/list/tabs', index);
    for (const name of templateFields(tab.label)) {
      if (name !== 'total')
        fault(subject, at(path, 'label'), `Unknown placeholder "{${name}}": the label of a tab supports only {total}.`);
    }
    checkQueryNames(subject, at(path, 'filter'), subject.definition, tab.filter);
    if (tab.linkOnly && index === 0)
      fault(
        subject,
        at(path, 'linkOnly'),
        'The first tab cannot be linkOnly: it is shown when the address names no tab.',
      );
  });
}

/** Checks the tabs of the form: lists that there are, and queries that they take. */
export function checkFormTabs(subject: Subject): void {
  const { tabs, dialog, popup } = subject.definition.form;
  checkTabNames(subject, '/form/tabs', tabs);
  if (tabs.length > 0 && dialog) fault(subject, '/form/tabs', 'A form in a dialog has no tabs.');
  if (popup && dialog) fault(subject, '/form/popup', 'A form is either a dialog or a popup, not both.');
  tabs.forEach((tab, index) => {
    const path = at('/form/tabs', index);
    checkCondition(subject, at(path, 'visible'), tab.visible, { alone: 'screen' });
    checkQuery(subject, path, tab.list, 'query', tab.query, 'list');
    if (subject.registry.get(tab.list)) checkPreset(subject, path, { resource: tab.list, values: tab.values });
  });
}

function checkTabNames(subject: Subject, path: string, tabs: readonly { name: string }[]): void {
  tabs.forEach(({ name }, index) => {
    if (tabs.findIndex((other) => other.name === name) < index)
      fault(subject, at(path, index, 'name'), `The tab "${name}" is duplicated.`);
  });
}

/** Checks the query of another resource's list at `path/{key}`; its resource is at `path/{where}`. */
export function checkQuery(
  subject: Subject,
  path: string,
  resource: string,
  key: string,
  query: Readonly<Record<string, unknown>>,
  where = 'resource',
): void {
  const target = needResource(subject, at(path, where), resource);
  if (target) checkQueryNames(subject, at(path, key), target, query);
}

/** Checks the values of a new record: its fields, and `$record.…` of this definition. */
export function checkPreset(
  subject: Subject,
  path: string,
  { resource, values }: { resource: string; values: Readonly<Record<string, unknown>> },
): void {
  const target = needResource(subject, at(path, 'resource'), resource);
  for (const [name, value] of Object.entries(values)) {
    if (target) needField(subject, at(path, 'values', name), name, target);
    checkRecordValue(subject, at(path, 'values', name), value);
  }
}

function checkQueryNames(
  subject: Subject,
  path: string,
  target: Definition,
  query: Readonly<Record<string, unknown>>,
): void {
  for (const [name, value] of Object.entries(query)) {
    const here = at(path, name);
    const parameter = Object.hasOwn(target.parameters, name) ? target.parameters[name] : undefined;
    if (!parameter) needReadable(subject, here, name, target);
    else if (parameter.kind === 'named' && !Object.hasOwn(parameter.named ?? {}, String(value)))
      fault(subject, here, unknownName('value', String(value), Object.keys(parameter.named ?? {})));
    checkRecordValue(subject, here, value);
  }
}

/** Checks that `$record.…` is of this definition. */
export function checkRecordValue(subject: Subject, path: string, value: unknown): void {
  if (typeof value === 'string' && value.startsWith('$record.'))
    needReadable(subject, path, value.slice('$record.'.length));
}
