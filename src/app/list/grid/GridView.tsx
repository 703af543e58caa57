import { useMemo, useState } from 'react';
import type { RaRecord } from 'react-admin';
import type { Definition } from '../../../engine/definitions/definition';
import { arrangeColumns, readableColumns, visibleColumnNames } from '../../../engine/lists/columns';
import { columnFilters } from '../../../engine/lists/filter-inputs';
import type { ListState } from '../../../engine/lists/list-state';
import { useDefinitions } from '../../admin/DefinitionsContext';
import { lazyComponent } from '../../states/lazyComponent';
import { SkeletonRows } from '../../states/SkeletonRows';
import { useSelection } from '../bulk/useSelection';
import { useListScope } from '../ListScope';
import { useListColumns } from '../useListColumns';
import type { ChangeList } from '../useListState';
import { Grid, type GridGroups } from './Grid';

const ColumnFilter = lazyComponent(() => import('./ColumnFilter').then((part) => ({ default: part.ColumnFilter })));

const SelectionBar = lazyComponent(() =>
  import('../bulk/SelectionBar').then((part) => ({ default: part.SelectionBar })),
);

export interface GridViewProps {
  definition: Definition;
  state: ListState;
  change: ChangeList;
  /** Undefined while the first page loads. */
  records: RaRecord[] | undefined;
  total: number | undefined;
  fetching: boolean;
  /** Headings of groups and totals. */
  groups?: GridGroups;
}

/** The grid with its selection bar and column filters. */
export function GridView({ definition, state, change, records, total, fetching, groups }: GridViewProps) {
  const { registry, actor } = useDefinitions();
  const { choices, pending } = useListColumns(definition, state);
  const { fixed, embedded } = useListScope();
  const columns = useMemo(() => {
    const all = readableColumns(definition, actor);
    const shown = visibleColumnNames(all, choices);
    // In a record's form the column of that record is the same in every row.
    const visible = all.filter(({ field }) => shown.has(field) && !(embedded && field in fixed));
    return arrangeColumns(visible, state.columns);
  }, [actor, choices, definition, embedded, fixed, state.columns]);
  const filters = useMemo(
    () => columnFilters(definition, registry, actor, columns, choices),
    [actor, choices, columns, definition, registry],
  );
  const { rights, selectable, selected, onSelect } = useSelection(definition, state);
  const [filtering, setFiltering] = useState<{ column: string; anchor: HTMLElement } | null>(null);
  const filter = filtering && filters.get(filtering.column);

  // Without columns the layout is unknown. A grid mounted without rows would mount a second time with them.
  if (pending || !records) return <SkeletonRows rows={16} />;
  return (
    <>
      <Grid
        {...{ definition, state, change, columns, filters, records, fetching, selectable, selected, onSelect, groups }}
        total={total ?? 0}
        onFilter={(column, anchor) => setFiltering({ column, anchor })}
      />
      {filter && (
        <ColumnFilter
          {...{ definition, state, change }}
          input={filter}
          anchor={filtering.anchor}
          onClose={() => setFiltering(null)}
        />
      )}
      {selected.size > 0 && <SelectionBar {...{ definition, state, rights, selected, onSelect }} total={total ?? 0} />}
    </>
  );
}
