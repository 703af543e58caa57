import useMediaQuery from '@mui/material/useMediaQuery';
import { useMemo, useState } from 'react';
import { useDefinitions } from '../../data/DefinitionsContext';
import { viewOf } from '../../list/views';
import { ListFrame } from '../../list/ListFrame';
import { noFixedFilter, useRecords } from '../../list/useRecords';
import { ListTabs } from '../../list/tabs/ListTabs';
import { phone } from '../../theme/overrides';
import { decideAccess } from '../../../engine/access/access-decision';
import type { Definition } from '../../../engine/definitions/definition';
import { filterInputs } from '../../../engine/lists/filter-inputs';
import type { ListView } from '../../../engine/lists/list-state';
import { activeTab } from '../../../engine/lists/tabs';
import { NotAllowed } from './NotAllowed';
import { useLocalListState } from './useLocalListState';
import * as styles from './preview.module.css';

interface ListCardProps {
  definition: Definition;
  /** The user and role that it is seen as. */
  viewerText: string;
}

/** The list of the draft. */
export function ListCard({ definition, viewerText }: ListCardProps) {
  const { actor } = useDefinitions();
  const { allowed: mayList } = decideAccess(actor, definition, 'list');
  return (
    <section className={`${styles.previewCard} ${styles.previewList}`} aria-label="List">
      <header>
        <h3>List</h3>
        <small>{viewerText}</small>
      </header>
      {mayList ? <DraftList definition={definition} /> : <NotAllowed definition={definition} action="list" />}
    </section>
  );
}

function DraftList({ definition }: { definition: Definition }) {
  const { registry, actor } = useDefinitions();
  const isPhone = useMediaQuery(phone, { noSsr: true });
  const [state, change] = useLocalListState(definition);
  const [chosenView, setChosenView] = useState<ListView | null>(null);
  const tab = activeTab(definition, state);
  const fixedFilter = tab?.filter ?? noFixedFilter;
  const records = useRecords(definition.name, state, fixedFilter);
  const inputs = useMemo(() => filterInputs(definition, registry, actor), [definition, registry, actor]);
  const view = viewOf(chosenView, definition, isPhone);
  return (
    <ListFrame
      {...{ definition, state, change, inputs, records, view, isPhone }}
      fixedValues={fixedFilter}
      chooseView={setChosenView}
    >
      {tab && <ListTabs chosenTab={tab} />}
    </ListFrame>
  );
}
