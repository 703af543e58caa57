import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import { formatNumber } from '../../../engine/formats/numbers';
import type { Definition, ListTab } from '../../../engine/definitions/definition';
import type { ListState } from '../../../engine/lists/list-state';
import { fillTemplate } from '../../../engine/definitions/labels';
import { filterWithin, shownTabs } from '../../../engine/lists/tabs';
import type { ChangeList } from '../useListState';
import { useTotal } from '../useTotal';
import './tabs.css';

interface ListTabsProps {
  definition: Definition;
  state: ListState;
  change: ChangeList;
  chosen: ListTab;
  /** Of the chosen one. */
  total: number | undefined;
}

/** The parts of a list, each with the number of its records under the filters in force. */
export function ListTabs({ definition, state, change, chosen, total }: ListTabsProps) {
  const { tabs } = definition.list;
  const choose = (name: string) => change((old) => ({ ...old, tab: name === tabs[0]?.name ? null : name, page: 1 }));
  return (
    <Tabs
      className="list-tabs"
      value={chosen.name}
      aria-label={definition.labels.many}
      variant="scrollable"
      scrollButtons={false}
      onChange={(_, name: string) => choose(name)}
    >
      {shownTabs(definition, chosen).map((tab) => (
        <Tab
          key={tab.name}
          value={tab.name}
          label={
            <TabLabel definition={definition} state={state} tab={tab} known={tab === chosen ? total : undefined} />
          }
        />
      ))}
    </Tabs>
  );
}

interface TabLabelProps {
  definition: Definition;
  state: ListState;
  tab: ListTab;
  /** The total, where the list itself has it. */
  known: number | undefined;
}

function TabLabel({ definition, state, tab, known }: TabLabelProps) {
  const counted = useTotal(definition.name, filterWithin(state, tab.filter), known === undefined);
  const total = known ?? counted;
  return (
    <span className="num">{fillTemplate(tab.label, { total: total === undefined ? '…' : formatNumber(total) })}</span>
  );
}
