import useMediaQuery from '@mui/material/useMediaQuery';
import { useMemo, useState, useCallback } from 'react';
import { useDefinitions } from '../../data/DefinitionsContext';
import { viewOf } from '../../list/views';
import { ListFrame } from '../../list/ListFrame';
import { noFixedFilter, useRecords } from '../../list/useRecords';
import { ListTabs } from '../../list/tabs/ListTabs';
import { phone } from '../../theme/overrides';
import { decideAccess } from '../../../engine/access/access-decision';
import type { Definition } from '../../../engine/definitions/definition';
import { filterInputs } from '../../../engine/lists/filter-inputs';
import { type ListView, parseListState, formatListState, type ListState } from '../../../engine/lists/list-state';
import { activeTab } from '../../../engine/lists/tabs';
import { NotAllowed } from './NotAllowed';
import * as styles from './preview.module.css';
import type { ChangeList } from '../../list/useListState';

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

/**
 * The state of a list whose definition changes: stored as query parameters, so that it is always valid for the current
 * definition.
 */
function useLocalListState(definition: Definition): [ListState, ChangeList] {
  const [entries, setEntries] = useState<readonly [string, string][]>([]);
  const state = useMemo(() => parseListState(entries, definition), [definition, entries]);
  const change = useCallback<ChangeList>(
    (make) =>
      setEntries((entriesBefore) => formatListState(make(parseListState(entriesBefore, definition)), definition)),
    [definition],
  );
  return [state, change];
}
