import type { GridColDef, GridRowId } from '@mui/x-data-grid';
import { useMemo } from 'react';
import type { RaRecord } from 'react-admin';
import type { Definition, TotalFunction } from '../../../engine/definitions/definition';
import { formatNumber } from '../../../engine/formats/numbers';
import { type Figures } from '../../../engine/lists/group-rows';
import type { GroupedRow, ListGroup } from '../../../engine/lists/group-rows';
import type { NamedGrouping } from '../../../engine/lists/grouping';
import type { GridGroups } from '../grid/Grid';
import { endingGroup, GroupQuickAdd, type Addition, type AdditionOf } from './additions';
import { GroupToggle, Total, TotalsText } from './GroupToggle';
import type { CountedGroups } from './useGroups';
import * as styles from './groups.module.css';

interface GridGroupsInput {
  definition: Definition;
  grouping: NamedGrouping | undefined;
  rows: readonly GroupedRow<RaRecord>[];
  countedGroups: CountedGroups | undefined;
  totals: Readonly<Record<string, TotalFunction>>;
  onToggle: (key: string) => void;
  additionOf: AdditionOf;
}

/** A row that is no record. */
interface OwnRow {
  readonly id: string;
  readonly className: string | undefined;
  readonly figures: Figures;
  readonly heading?: { readonly group: ListGroup; readonly isClosed: boolean };
  /** The values of a record that is added in this row. */
  readonly addition?: Addition;
}

const totalsId = 'totals';
const headingHeight = 36;
const isOwn = (id: GridRowId) => typeof id === 'string' && (id === totalsId || id.startsWith('group '));

/** The headings of groups and the line of totals as rows of the grid. */
export function useGridGroups(input: GridGroupsInput): GridGroups {
  const { definition, grouping, rows, countedGroups, totals, onToggle, additionOf } = input;
  return useMemo(() => {
    const hasTotals = Object.keys(totals).length > 0;
    const gridRows = rows.flatMap((row, index): (OwnRow | RaRecord)[] => {
      const gridRow = row.group
        ? { id: `group ${row.group.key}`, className: styles.groupRow, figures: row.group.figures, heading: row }
        : row.record;
      const groupEnd = endingGroup(rows, index);
      const addition = groupEnd && additionOf(groupEnd.group, groupEnd.records);
      if (!addition) return [gridRow];
      const id = `group ${groupEnd.group.key} addition`;
      return [gridRow, { id, className: styles.additionRow, figures: {}, addition }];
    });
    if (hasTotals && countedGroups) {
      const { totals: figures } = countedGroups;
      gridRows.push({ id: totalsId, className: styles.totalsRow, figures } satisfies OwnRow);
    }
    const cellOf = (row: OwnRow, column: string, isFirst: boolean, hasFocus: boolean) => {
      const { figures } = row;
      const take = totals[column];
      if (!isFirst) return take && <Total {...{ definition, take, figures }} field={column} />;
      const totalsText = take && <TotalsText {...{ definition, figures }} totals={{ [column]: take }} />;
      if (row.addition) return <GroupQuickAdd {...row.addition} />;
      if (row.heading && grouping)
        return (
          <>
            <GroupToggle {...{ definition, grouping, onToggle }} {...row.heading} tabIndex={hasFocus ? 0 : -1} />
            {totalsText}
          </>
        );
      return (
        <>
          {countedGroups && (
            <span className={styles.totalsName}>{`All ${formatNumber(countedGroups.totals.count)}`}</span>
          )}
          {totalsText}
        </>
      );
    };
    /** The first cell of such a row reaches to the first total after it. */
    const withCells = (columns: readonly GridColDef[]) => {
      const next = columns.findIndex(({ field }, index) => index > 0 && totals[field] !== undefined);
      const span = next < 0 ? columns.length : next;
      return columns.map((column, index): GridColDef => {
        const { field, renderCell, valueGetter, cellClassName } = column;
        return {
          ...column,
          colSpan: (_value, row: { id: GridRowId }) => (isOwn(row.id) && index === 0 ? span : 1),
          valueGetter: (...parameters) =>
            (isOwn((parameters[1] as { id: GridRowId }).id) ? null : valueGetter?.(...parameters)) as never,
          cellClassName: (params) =>
            isOwn(params.id) ? String(styles.groupCell) : typeof cellClassName === 'string' ? cellClassName : '',
          renderCell: (params) =>
            isOwn(params.id) ? cellOf(params.row as OwnRow, field, index === 0, params.hasFocus) : renderCell?.(params),
        };
      });
    };
    return {
      rows: gridRows,
      isOwn,
      withCells,
      // An addition grows with the reason why a record was not added.
      height: ({ id, model }) => (isOwn(id) ? ((model as OwnRow).addition ? 'auto' : headingHeight) : null),
      onKeyDown: ({ row }, event) => {
        const { heading, addition } = row as OwnRow;
        // The keys are for the text; the grid would move to another cell, or select all rows.
        if (addition) {
          event.defaultMuiPrevented = true;
          return;
        }
        // The browser presses the button; the grid would select the row.
        if (event.key === ' ' || event.key === 'Enter') event.defaultMuiPrevented = true;
        const turns = heading && (heading.isClosed ? 'ArrowRight' : 'ArrowLeft');
        if (event.key !== turns || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        event.defaultMuiPrevented = true;
        pressToggle(event.currentTarget);
      },
      onClick: (_cell, event) => {
        if (!(event.target as Element).closest('button')) pressToggle(event.currentTarget);
      },
    };
  }, [additionOf, countedGroups, definition, grouping, onToggle, rows, totals]);
}

/** Presses the button of the heading in whose row a cell is. */
function pressToggle(cell: Element): void {
  cell.closest('[role="row"]')?.querySelector<HTMLElement>('button[aria-expanded]')?.click();
}
