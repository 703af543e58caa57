import Button from '@mui/material/Button';
import useMediaQuery from '@mui/material/useMediaQuery';
import { DataGrid, type GridColDef } from '@mui/x-data-grid';
import { useMemo } from 'react';
import type { Definition } from '../../../engine/definitions/definition';
import { fieldChangesOf, type FieldChange, type HistoryEntry } from '../../../engine/history/field-changes';
import { formatInstant } from '../../../engine/formats/dates';
import { Initials } from '../../chips/Initials';
import { phone } from '../../theme/overrides';
import { HistoryValues } from '../../history/HistoryValues';
import * as gridStyles from '../../list/grid/grid.module.css';
import * as styles from '../../history/history.module.css';

interface HistoryGridProps {
  definition: Definition;
  /** Undefined while loading. */
  lines: readonly HistoryEntry[] | undefined;
  /** The version that the first line made. */
  newest: number;
  onCompare: (line: HistoryEntry, version: number) => void;
}

interface HistoryRow extends Omit<HistoryEntry, 'id'> {
  id: number;
  /** The version that it made; the first change is version 1. */
  version: number;
  /** Shows this version beside another one. */
  onCompare: () => void;
  changes: readonly FieldChange[];
}

const eventLabels: Readonly<Record<string, string>> = {
  created: 'Added',
  updated: 'Changed',
  deleted: 'Deleted',
  archived: 'Archived',
  restored: 'Unarchived',
};

const noLines: readonly HistoryEntry[] = [];

const columns: GridColDef<HistoryRow>[] = [
  {
    field: 'old_values',
    headerName: 'Old Values',
    flex: 1,
    minWidth: 240,
    renderCell: ({ row }) => <HistoryValues changes={row.changes} side="old" />,
  },
  {
    field: 'new_values',
    headerName: 'New Values',
    flex: 1,
    minWidth: 240,
    renderCell: ({ row }) => <HistoryValues changes={row.changes} side="new" />,
  },
  { field: 'event', headerName: 'Event', width: 130, valueGetter: (_, row) => eventText(row) },
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
    valueGetter: (instant: string) => formatInstant(instant),
  },
  {
    field: 'version',
    headerName: 'Version',
    width: 150,
    renderCell: ({ row }) => <VersionButton row={row} />,
  },
];

/** A single column for narrow screens. */
const phoneColumns: GridColDef<HistoryRow>[] = [
  {
    field: 'changes',
    headerName: 'Changes',
    flex: 1,
    renderCell: ({ row }) => (
      <div className={styles.historyStack}>
        <Person user={row.user} />
        <small>
          {eventText(row)}, {formatInstant(row.created_at)}
        </small>
        <VersionButton row={row} />
        {(['old', 'new'] as const).map(
          (side) =>
            row[`${side}_values`] && (
              <section key={side}>
                <h2>{side === 'old' ? 'Old Values' : 'New Values'}</h2>
                <HistoryValues changes={row.changes} side={side} />
              </section>
            ),
        )}
      </div>
    ),
  },
];

function eventText({ event, restored_version: restoredVersion }: HistoryRow): string {
  return restoredVersion === undefined ? (eventLabels[event] ?? event) : `Restored version ${restoredVersion}`;
}

function VersionButton({ row: { version, onCompare } }: { row: HistoryRow }) {
  return (
    <Button variant="text" size="small" aria-label={`Compare version ${version}`} onClick={onCompare}>
      {version}: Compare
    </Button>
  );
}

function Person({ user }: Pick<HistoryEntry, 'user'>) {
  if (!user) return <span className={styles.historyNobody}>The program</span>;
  return (
    <span className={styles.historyUser}>
      <Initials name={user.name} />
      {user.name}
    </span>
  );
}

/** Changes as a grid: values before and after with differences marked, event, user and time. */
export function HistoryGrid({ definition, lines = noLines, newest, onCompare }: HistoryGridProps) {
  const rows = useMemo<HistoryRow[]>(
    () =>
      lines.map((line, index) => ({
        ...line,
        id: index,
        version: newest - index,
        onCompare: () => onCompare(line, newest - index),
        changes: fieldChangesOf(definition, line),
      })),
    [definition, lines, newest, onCompare],
  );
  const isPhone = useMediaQuery(phone, { noSsr: true });
  return (
    <DataGrid
      className={`${gridStyles.grid} ${gridStyles.gridTall}`}
      aria-label={`${definition.labels.one} History`}
      rows={rows}
      columns={isPhone ? phoneColumns : columns}
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
