import { formatNumber } from '../../../engine/formats/numbers';
import type { Definition, ListTab } from '../../../engine/definitions/definition';
import type { ListState } from '../../../engine/lists/list-state';
import { fillTemplate } from '../../../engine/definitions/labels';
import { filterWithFixed, visibleTabs } from '../../../engine/lists/tabs';
import { TabBar } from '../../layout/TabBar';
import type { ChangeList } from '../useListState';
import { useTotal } from '../useTotal';
import * as styles from './tabs.module.css';

/** The prefix of the tabs' ids. */
export const tabsId = 'list-tabs';

interface ListTabsProps {
  definition: Definition;
  state: ListState;
  change: ChangeList;
  chosen: ListTab;
  /** The total of the chosen tab. */
  total: number | undefined;
}

/** The tabs of a list, each with the number of its records under the active filters. */
export function ListTabs({ definition, state, change, chosen, total }: ListTabsProps) {
  const { tabs } = definition.list;
  const choose = (name: string) => change((old) => ({ ...old, tab: name === tabs[0]?.name ? null : name, page: 1 }));
  return (
    <TabBar
      id={tabsId}
      label={definition.labels.many}
      className={styles.listTabs}
      tabs={visibleTabs(definition, chosen).map((tab) => ({
        name: tab.name,
        label: <TabLabel definition={definition} state={state} tab={tab} known={tab === chosen ? total : undefined} />,
      }))}
      chosen={chosen.name}
      onChoose={choose}
    />
  );
}

interface TabLabelProps {
  definition: Definition;
  state: ListState;
  tab: ListTab;
  /** The total, if the list itself has it. */
  known: number | undefined;
}

function TabLabel({ definition, state, tab, known }: TabLabelProps) {
  const counted = useTotal(definition.name, filterWithFixed(state, tab.filter), known === undefined);
  const total = known ?? counted;
  return (
    <span className="num">{fillTemplate(tab.label, { total: total === undefined ? '…' : formatNumber(total) })}</span>
  );
}
