import { formatTotal } from '../../../engine/formats/numbers';
import type { ListTab } from '../../../engine/definitions/definition';
import { fillTemplate } from '../../../engine/definitions/labels';
import { filterWithFixed, visibleTabs } from '../../../engine/lists/tabs';
import { TabBar } from '../../layout/TabBar';
import { useScopedFilter } from '../../preferences/listScope';
import { useResourceList } from '../ResourceList';
import { useTotal } from '../useTotal';
import * as styles from '../toolbar.module.css';

/** The prefix of the tabs' ids. */
export const tabsId = 'list-tabs';

/** The tabs of a list, each with the number of its records under the active filters. */
export function ListTabs({ chosenTab }: { chosenTab: ListTab }) {
  const { definition, change, total } = useResourceList();
  const { tabs } = definition.list;
  const choose = (name: string) =>
    change((current) => ({ ...current, tab: name === tabs[0]?.name ? null : name, page: 1 }));
  return (
    <TabBar
      id={tabsId}
      label={definition.labels.many}
      className={styles.listTabs}
      tabs={visibleTabs(definition, chosenTab).map((tab) => ({
        name: tab.name,
        label: <TabLabel tab={tab} knownCount={tab === chosenTab ? total : undefined} />,
      }))}
      chosenTab={chosenTab.name}
      onChoose={choose}
    />
  );
}

interface TabLabelProps {
  tab: ListTab;
  /** The total, if the list itself has it. */
  knownCount: number | undefined;
}

function TabLabel({ tab, knownCount }: TabLabelProps) {
  const { definition, state } = useResourceList();
  const fixedFilter = useScopedFilter(definition, state, tab.filter);
  const loadedTotal = useTotal(definition.name, filterWithFixed(state, fixedFilter), knownCount === undefined);
  const total = knownCount ?? loadedTotal;
  return (
    <span className="num">{fillTemplate(tab.label, { total: total === undefined ? '…' : formatTotal(total) })}</span>
  );
}
