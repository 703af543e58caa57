import { useMemo, useState, type ComponentProps } from 'react';
import type { RaRecord } from 'react-admin';
import { arrangeColumns, readableColumns, visibleColumnNames } from '../../../engine/lists/columns';
import { columnFilters } from '../../../engine/lists/filter-inputs';
import { useDefinitions } from '../../data/DefinitionsContext';
import { lazyComponent } from '../../states/lazyComponent';
import { SkeletonRows } from '../../states/SkeletonRows';
import { QuickFilter } from '../filters/FiltersButton';
import { useResourceList } from '../ResourceList';
import { useListColumns } from '../useListColumns';
import { Grid, type GridGroups } from './Grid';
import { actionsWidthOf } from './gridColumns';
import { useFittedColumns } from './useFittedColumns';

const SelectionBar = lazyComponent(() =>
  import('../bulk/SelectionBar').then((part) => ({ default: part.SelectionBar })),
);

interface GridViewProps {
  /** Headings of groups and totals. */
  groups?: GridGroups;
}

const noRows: readonly RaRecord[] = [];
const checkboxWidth = 50;

/** The grid with its selection bar and column filters. */
export function GridView({ groups }: GridViewProps) {
  const { definition, state, fixedValues: fixedFilter, embedded, data, selection } = useResourceList();
  const { registry, actor } = useDefinitions();
  const { choices, pending } = useListColumns(definition, state);
  const columns = useMemo(() => {
    const allColumns = readableColumns(definition, actor);
    const visibleNames = visibleColumnNames(allColumns, choices);
    // In a record's form the column of that record is the same in every row.
    const visible = allColumns.filter(({ field }) => visibleNames.has(field) && !(embedded && field in fixedFilter));
    return arrangeColumns(visible, state.columns);
  }, [actor, choices, definition, embedded, fixedFilter, state.columns]);
  const filters = useMemo(
    () => columnFilters(definition, registry, actor, columns, choices),
    [actor, choices, columns, definition, registry],
  );
  const [filtering, setFiltering] = useState<{ column: string; anchor: HTMLElement } | null>(null);
  const filter = filtering && filters.get(filtering.column);

  // Without columns the layout is unknown. A grid mounted without rows would mount a second time with them.
  if (pending || !data) return <SkeletonRows hasHead />;
  return (
    <>
      <FittedGrid {...{ columns, filters, groups }} onFilter={(column, anchor) => setFiltering({ column, anchor })} />
      {filter && <QuickFilter first={filter} anchor={filtering.anchor} onClose={() => setFiltering(null)} />}
      {selection.selectable && selection.selected.size > 0 && <SelectionBar />}
    </>
  );
}

type FittedGridProps = Pick<ComponentProps<typeof Grid>, 'columns' | 'filters' | 'groups' | 'onFilter'>;

/** The grid, with its columns fitted to the records. */
function FittedGrid(props: FittedGridProps) {
  const { definition, data: rows = noRows, sort, selection } = useResourceList();
  const { fit, sample, onViewportWidth } = useFittedColumns({
    ...{ definition, rows, columns: props.columns, sortField: sort.field },
    hasCheckboxes: selection.selectable,
    reservedWidth: actionsWidthOf(definition) + (selection.selectable ? checkboxWidth : 0),
  });
  return (
    <>
      {sample}
      {fit && <Grid {...props} {...fit} onViewportWidth={onViewportWidth} />}
    </>
  );
}
