import useMediaQuery from '@mui/material/useMediaQuery';
import { useMemo } from 'react';
import type { Definition } from '../../engine/definitions/definition';
import { SkeletonRows } from '../states/SkeletonRows';
import { useRestoredAddress } from './useRestoredAddress';
import { realUser } from '../../engine/access/actor';
import { listTitle } from '../../engine/lists/list-title';
import { filterInputs } from '../../engine/lists/filter-inputs';
import type { ListView } from '../../engine/lists/list-state';
import { activeTab } from '../../engine/lists/tabs';
import { useDefinitions } from '../admin/DefinitionsContext';
import { tabPanel } from '../layout/TabBar';
import { usePage } from '../layout/page';
import { rememberedView, rememberView } from '../preferences/remembered';
import { phone } from '../theme/overrides';
import { ListFrame } from './ListFrame';
import { noFixedFilter } from './ListScope';
import { ListTabs, tabsId } from './tabs/ListTabs';
import { useListCommands } from './useListCommands';
import { useListState } from './useListState';
import { useRecords } from './useRecords';
import { viewOf } from './views';

/** The list of a resource, with its remembered state restored. */
export function ListScreen({ definition }: { definition: Definition }) {
  const returning = useRestoredAddress(definition.name);
  return returning ? <SkeletonRows /> : <List definition={definition} />;
}

/** Toolbar, active filters, records and pages of a resource. */
function List({ definition }: { definition: Definition }) {
  const { registry, actor } = useDefinitions();
  const person = realUser(actor).id;
  const isPhone = useMediaQuery(phone, { noSsr: true });
  const [state, change] = useListState(definition);
  const tab = activeTab(definition, state);
  const place = useMemo(
    () => ({
      fixed: tab?.filter ?? noFixedFilter,
      embedded: false,
      file: tab?.export,
      panel: tab && tabPanel(tabsId, tab.name),
    }),
    [tab],
  );
  const records = useRecords(definition.name, state, place.fixed);
  const inputs = useMemo(() => filterInputs(definition, registry, actor), [definition, registry, actor]);
  const { total } = records;
  // Tabs show their own totals.
  usePage({ title: listTitle(definition, tab ? undefined : total), flat: true });
  useListCommands(definition);

  const view = viewOf(state.view ?? rememberedView(person, definition.name, isPhone), definition, isPhone);
  const chooseView = (chosen: ListView) => {
    rememberView(person, definition.name, chosen, isPhone);
    change((old) => ({ ...old, view: chosen }));
  };
  return (
    <ListFrame {...{ definition, state, change, place, inputs, records, view, isPhone }} onView={chooseView}>
      {tab && <ListTabs {...{ definition, state, change, total }} chosen={tab} />}
    </ListFrame>
  );
}
