import type { Definition, ListTab, ResourceRecord } from '../definitions/definition';
import { apiFilterOf, type ListState } from './list-state';

/**
 * The active tab of a list; undefined if it has none.
 *
 * @example activeTab(testCases, { tab: 'closed' })?.label; // 'Closed Test Cases ({total})'
 */
export function activeTab({ list }: Definition, { tab }: Pick<ListState, 'tab'>): ListTab | undefined {
  return list.tabs.find(({ name }) => name === tab) ?? list.tabs[0];
}

/**
 * The visible tabs: those with `linkOnly` only while they are active.
 *
 * @example visibleTabs(testCases, activeTab(testCases, state)!).length; // 2
 */
export function visibleTabs({ list }: Definition, activeListTab: ListTab): readonly ListTab[] {
  return list.tabs.filter((tab) => !tab.linkOnly || tab === activeListTab);
}

/**
 * The noun of a tab's records, without their number: `Open Test Cases ({total})` → `open test cases`.
 *
 * @example tabNoun(testCases.list.tabs[0]!); // 'open test cases'
 */
export function tabNoun({ label }: ListTab): string {
  return label
    .replace(/\s*\(?\{total\}\)?/g, '')
    .trim()
    .toLowerCase();
}

/**
 * The filter of the API's list call: the user's filters, limited by the list's fixed ones (its tab, or the record whose
 * form contains it).
 *
 * @example filterWithFixed({ filters: { status_id: 3 }, q: '' }, { project_id: 7 }); // { status_id: 3, project_id: 7 }
 */
export function filterWithFixed(
  state: Pick<ListState, 'filters' | 'q'>,
  fixedFilter: Readonly<ResourceRecord>,
): ResourceRecord {
  return { ...apiFilterOf(state), ...fixedFilter };
}
