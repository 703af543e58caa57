import useMediaQuery from '@mui/material/useMediaQuery';
import { DataGrid, type GridColDef } from '@mui/x-data-grid';
import { useMemo } from 'react';
import type { Definition } from '../../engine/definitions/definition';
import { changesOf, type FieldChange, type HistoryLine } from '../../engine/history/changes';
import { formatInstant } from '../../engine/formats/dates';
import { Initials } from '../layout/Initials';
import { phone } from '../theme/parts';
import { Values } from './Values';

interface HistoryGridProps {
  definition: Definition;
  /** Undefined while loading. */
  lines: readonly HistoryLine[] | undefined;
}

interface Row extends HistoryLine {
  id: number;
  changes: readonly FieldChange[];
}

const events: Readonly<Record<string, string>> = {
  created: 'Added',
  updated: 'Changed',
  deleted: 'Deleted',
  archived: 'Archived',
  restored: 'Unarchived',
};

const noLines: readonly HistoryLine[] = [];

const columns: GridColDef<Row>[] = [
  {
    field: 'old_values',
    headerName: 'Old Values',
    flex: 1,
    minWidth: 240,
    renderCell: ({ row }) => <Values changes={row.changes} side="old" />,
  },
  {
    field: 'new_values',
    headerName: 'New Values',
    flex: 1,
    minWidth: 240,
    renderCell: ({ row }) => <Values changes={row.changes} side="new" />,
  },
  { field: 'event', headerName: 'Event', width: 110, valueGetter: (event: string) => events[event] ?? event },
  {
    field: 'user',
    headerName: 'User Name',
    width: 180,
    renderCell: ({ row }) => <Person user={row.user} />,
  },
  {
    field: 'created_at',
    headerName: 'Created At',
    width: 160,
    valueGetter: (at: string) => formatInstant(at),
  },
];

/** A single column for narrow screens. */
const narrow: GridColDef<Row>[] = [
  {
    field: 'changes',
    headerName: 'Changes',
    flex: 1,
    renderCell: ({ row }) => (
      <div className="history-stack">
        <Person user={row.user} />
        <small>
          {events[row.event] ?? row.event}, {formatInstant(row.created_at)}
        </small>
        {(['old', 'new'] as const).map(
          (side) =>
            row[`${side}_values`] && (
              <section key={side}>
                <h3>{side === 'old' ? 'Old Values' : 'New Values'}</h3>
                <Values changes={row.changes} side={side} />
              </section>
            ),
        )}
      </div>
    ),
  },
];

function Person({ user }: Pick<HistoryLine, 'user'>) {
  if (!user) return <span className="history-nobody">The program</span>;
  return (
    <span className="history-user">
      <Initials name={user.name} />
      {user.name}
    </span>
  );
}

/** Changes as a grid: values before and after with differences marked, event, user and time. */
export function HistoryGrid({ definition, lines = noLines }: HistoryGridProps) {
  const rows = useMemo<Row[]>(
    () => lines.map((line, index) => ({ ...line, id: index, changes: changesOf(definition, line) })),
    [definition, lines],
  );
  const isPhone = useMediaQuery(phone, { noSsr: true });
  return (
    <DataGrid
      className="grid history"
      aria-label={`${definition.labels.one} History`}
      rows={rows}
      columns={isPhone ? narrow : columns}
      loading={lines === noLines}
      getRowHeight={() => 'auto'}
      hideFooter
      disableRowSelectionOnClick
      disableColumnSelector
      disableColumnMenu
      disableColumnSorting
      disableVirtualization
      slotProps={{ loadingOverlay: { variant: 'skeleton', noRowsVariant: 'skeleton' } }}
    />
  );
}
