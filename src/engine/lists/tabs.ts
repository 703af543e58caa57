import type { Definition, ListTab, ResourceRecord } from '../definitions/definition';
import { filterOf, type ListState } from './list-state';

/** The tab that a list shows; undefined where it has none. */
export function chosenTab({ list }: Definition, { tab }: Pick<ListState, 'tab'>): ListTab | undefined {
  return list.tabs.find(({ name }) => name === tab) ?? list.tabs[0];
}

/** The tabs that are offered: those that links alone lead to only while they are chosen. */
export function shownTabs({ list }: Definition, chosen: ListTab): readonly ListTab[] {
  return list.tabs.filter((tab) => !tab.linkOnly || tab === chosen);
}

/** What a tab's records are called, without their number: `Open Test Cases ({total})` → `open test cases`. */
export function tabNoun({ label }: ListTab): string {
  return label
    .replace(/\s*\(?\{total\}\)?/g, '')
    .trim()
    .toLowerCase();
}

/**
 * The filter of the API's list call: what the user chose, within what is fixed around the list (its tab, or the record
 * in whose form it stands).
 */
export function filterWithin(state: Pick<ListState, 'filters' | 'q'>, fixed: Readonly<ResourceRecord>): ResourceRecord {
  return { ...filterOf(state), ...fixed };
}
