import useMediaQuery from '@mui/material/useMediaQuery';
import { useEffect, useMemo } from 'react';
import type { Definition, ResourceRecord } from '../../../engine/definitions/definition';
import { filterInputs } from '../../../engine/lists/filter-inputs';
import { perPage } from '../../../engine/lists/list-state';
import { useDefinitions } from '../../admin/DefinitionsContext';
import { phone } from '../../theme/parts';
import { AppliedFilters } from '../AppliedFilters';
import { Body } from '../Body';
import { Footer } from '../Footer';
import { ListPlaceContext } from '../ListPlace';
import { Toolbar } from '../Toolbar';
import { ActionsContext, useActions } from '../useActions';
import { useRecords } from '../useRecords';
import { useOwnListState } from './useOwnListState';
import '../list.css';

interface EmbeddedListProps {
  definition: Definition;
  /** Query names and values that make the records those of the record around. Keep the object between renderings. */
  fixed: Readonly<ResourceRecord>;
  onAdd: () => void;
}

/** The list of a resource within another record's form: one grid, with filters of its own that leave the address alone. */
export function EmbeddedList({ definition, fixed, onAdd }: EmbeddedListProps) {
  const { registry, actor } = useDefinitions();
  const isPhone = useMediaQuery(phone, { noSsr: true });
  const [state, change] = useOwnListState(definition);
  const records = useRecords(definition.name, state, fixed);
  const actions = useActions(definition);
  const inputs = useMemo(
    () => filterInputs(definition, registry, actor).filter(({ keys }) => !keys.some((key) => key in fixed)),
    [definition, registry, actor, fixed],
  );
  const place = { fixed, embedded: true, onAdd };
  const { total, data } = records;
  const lastPage = total === undefined ? undefined : Math.max(1, Math.ceil(total / perPage));
  useEffect(() => {
    if (lastPage !== undefined && state.page > lastPage) change((old) => ({ ...old, page: lastPage }));
  }, [change, lastPage, state.page]);

  const view = isPhone ? 'cards' : 'list';
  const single = useMemo(
    () => ({ ...definition, list: { ...definition.list, views: ['list' as const], tabs: [] } }),
    [definition],
  );
  return (
    <ActionsContext value={actions}>
      <ListPlaceContext value={place}>
        <Toolbar {...{ state, change, inputs, view, isPhone }} definition={single} onView={() => {}} />
        <AppliedFilters {...{ definition, state, change, inputs }} rows={data ?? []} />
        <Body {...{ definition, state, change, inputs, view, records, isPhone }} />
        <Footer
          page={state.page}
          shown={data?.length}
          total={total}
          onPage={(page) => change((old) => ({ ...old, page }))}
        />
        {actions.dialogs}
      </ListPlaceContext>
    </ActionsContext>
  );
}
