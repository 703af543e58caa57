import useMediaQuery from '@mui/material/useMediaQuery';
import { useMemo, useState } from 'react';
import { useDefinitions } from '../../../admin/DefinitionsContext';
import { viewOf } from '../../../list/views';
import { ListFrame } from '../../../list/ListFrame';
import { noFixedFilter } from '../../../list/ListScope';
import { ListTabs } from '../../../list/tabs/ListTabs';
import { useRecords } from '../../../list/useRecords';
import { phone } from '../../../theme/overrides';
import { decideAccess } from '../../../../engine/access/access-decision';
import type { Definition } from '../../../../engine/definitions/definition';
import { filterInputs } from '../../../../engine/lists/filter-inputs';
import type { ListView } from '../../../../engine/lists/list-state';
import { activeTab } from '../../../../engine/lists/tabs';
import { NotAllowed } from './NotAllowed';
import { useLocalListState } from './useLocalListState';
import * as styles from './preview.module.css';

interface ListCardProps {
  definition: Definition;
  /** The user and role that it is seen as. */
  who: string;
}

/** The list of the draft. */
export function ListCard({ definition, who }: ListCardProps) {
  const { actor } = useDefinitions();
  const { allowed } = decideAccess(actor, definition, 'list');
  return (
    <section className={`${styles.previewCard} ${styles.previewList}`} aria-label="List">
      <header>
        <h3>List</h3>
        <small>{who}</small>
      </header>
      {allowed ? <DraftList definition={definition} /> : <NotAllowed definition={definition} action="list" />}
    </section>
  );
}

function DraftList({ definition }: { definition: Definition }) {
  const { registry, actor } = useDefinitions();
  const isPhone = useMediaQuery(phone, { noSsr: true });
  const [state, change] = useLocalListState(definition);
  const [chosen, setChosen] = useState<ListView | null>(null);
  const tab = activeTab(definition, state);
  const fixed = tab?.filter ?? noFixedFilter;
  const place = useMemo(() => ({ fixed, embedded: false }), [fixed]);
  const records = useRecords(definition.name, state, fixed);
  const inputs = useMemo(() => filterInputs(definition, registry, actor), [definition, registry, actor]);
  const view = viewOf(chosen, definition, isPhone);
  return (
    <ListFrame {...{ definition, state, change, place, inputs, records, view, isPhone }} onView={setChosen}>
      {tab && <ListTabs {...{ definition, state, change }} chosen={tab} total={records.total} />}
    </ListFrame>
  );
}
