import type { FormSource, ListSource, Source } from '../definitions/source';
import { nameFromLabel } from './field-names';
import { setAtPath } from './set-at-path';

/** A tab above the list, and a tab of the form, as shown in the visual editor. */
export type ListTabView = NonNullable<ListSource['tabs']>[number];
export type FormTabView = NonNullable<FormSource['tabs']>[number];

/** The tabs above the list. */
export function readListTabs(source: Source): ListTabView[] {
  return source.list?.tabs ?? [];
}

/** The definition with these tabs above its list. */
export function writeListTabs(source: Source, tabs: readonly ListTabView[]): Source {
  return setAtPath(source, ['list', 'tabs'], tabs.length === 0 ? undefined : tabs);
}

/** The tabs of the form. */
export function readFormTabs(source: Source): FormTabView[] {
  return source.form?.tabs ?? [];
}

/** The definition with these form tabs. */
export function writeFormTabs(source: Source, tabs: readonly FormTabView[]): Source {
  return setAtPath(source, ['form', 'tabs'], tabs.length === 0 ? undefined : tabs);
}

/** A name for a new tab, from its label. */
export function uniqueTabName(tabs: readonly { readonly name: string }[], label: string): string {
  const name = nameFromLabel(label.replace(/\{.*?\}/g, ''), 'tab').replaceAll('_', '-');
  for (let number = 1; ; number += 1) {
    const tried = number === 1 ? name : `${name}-${number}`;
    if (tabs.every((tab) => tab.name !== tried)) return tried;
  }
}
