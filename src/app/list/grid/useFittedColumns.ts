import type { GridApiCommon } from '@mui/x-data-grid';
import {
  createContext,
  useCallback,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
  type RefObject,
} from 'react';
import type { Column, Definition, ResourceRecord } from '../../../engine/definitions/definition';
import { fitColumns, ninetyFifth } from './fitColumns';
import * as styles from './grid.module.css';

/** Where the columns of a grid stand. */
export interface FittedColumns {
  /** The columns that stay columns. The title has the ones that left in its second line. */
  readonly columns: readonly Column[];
  /** The pixels of each column but the one that takes the rest. */
  readonly widths: ReadonlyMap<string, number>;
  /** The column that takes the rest: the title, or else the first that is no key. */
  readonly widestField: string | undefined;
}

/** Called with the grid, before the paint, by each row that was drawn. */
type OnRowChange = (root: HTMLElement | null | undefined) => void;
export const RowChangeContext = createContext<OnRowChange>(() => {});

interface FittedColumnsInput {
  api: RefObject<GridApiCommon | null>;
  definition: Definition;
  columns: readonly Column[];
  rows: readonly ResourceRecord[];
  /** The pixels of the columns beside these, as of the actions. */
  reservedWidth: number;
}

type Needs = ReadonlyMap<string, number>;
const noNeeds: Needs = new Map();
/** Pixels of the scrollbar, until the grid has measured itself. */
const scrollbar = 14;

/** The field of the column that is the title of each row. */
export function titleFieldOf(columns: readonly Column[], definition: Definition): string {
  return columns.find(({ secondLine }) => secondLine)?.field ?? definition.titleField;
}

/**
 * Fits the columns of a grid to what it shows, and returns what its rows call: header and values are measured once for each page, before it is painted.
 * Values that change on the page make a column wider, never narrower.
 */
export function useFittedColumns({
  api,
  definition,
  columns,
  rows,
  reservedWidth,
}: FittedColumnsInput): [FittedColumns, OnRowChange] {
  const [needs, setNeeds] = useState<Needs>(noNeeds);
  const [available, setAvailable] = useState<number>();
  const measuredPage = useRef('');
  const measuredRows = useRef<readonly ResourceRecord[]>(undefined);
  const measure = useEffectEvent((root: HTMLElement | null | undefined = api.current?.rootElementRef?.current) => {
    if (!root) return;
    const page = rows.map(({ id }) => id).join();
    const nextNeeds = measureNeeds(root, needs, page === measuredPage.current);
    measuredPage.current = page;
    if (nextNeeds !== needs) setNeeds(nextNeeds);
    const { isReady, viewportInnerSize } = api.current?.getRootDimensions() ?? {};
    setAvailable(isReady && viewportInnerSize ? viewportInnerSize.width : root.clientWidth - scrollbar);
  });
  const onRowChange = useCallback(
    (root: HTMLElement | null | undefined) => {
      if (!root || measuredRows.current === rows) return;
      measuredRows.current = rows;
      measure(root);
    },
    [rows],
  );
  useEffect(() => {
    let frame = 0;
    const afterFrame = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => measure());
    };
    // Until its font has loaded, text is of another width.
    if (document.fonts?.status === 'loading') void document.fonts.ready.then(afterFrame);
    const unsubscribe = [
      api.current?.subscribeEvent('viewportInnerSizeChange', ({ width }) => setAvailable(width)),
      api.current?.subscribeEvent('columnsChange', afterFrame),
    ];
    return () => {
      cancelAnimationFrame(frame);
      unsubscribe.forEach((end) => end?.());
    };
  }, [api]);

  const fit = useMemo(() => {
    const titleField = titleFieldOf(columns, definition);
    const title = columns.find(({ field }) => field === titleField);
    const widestField = (title ?? columns.find((column) => mayLeave(column) && column.width === undefined))?.field;
    const others = columns
      .filter(({ field }) => field !== widestField)
      .map((column, index) => ({
        ...{ field: column.field, need: needs.get(column.field), width: column.width },
        leaves: mayLeave(column) ? (column.priority ?? 0) * columns.length + index : undefined,
      }));
    const room = available === undefined || needs.size === 0 ? Infinity : available - reservedWidth;
    const { widths, beneath } = fitColumns(others, room, title !== undefined && title.width === undefined);
    if (beneath.length === 0) return { columns, widths, widestField };
    const stays = columns.filter(({ field }) => !beneath.includes(field));
    return {
      columns: stays.map((column) =>
        column === title ? { ...column, secondLine: [...(column.secondLine ?? []), ...beneath] } : column,
      ),
      ...{ widths, widestField },
    };
  }, [available, columns, definition, needs, reservedWidth]);
  return [fit, onRowChange];
}

/** Whether a column may continue in the second line of the title: as text. Bars stay, and what the definition fixes. */
const mayLeave = ({ field, fixed: isFixed, parts }: Column) => !isFixed && !parts && field !== 'id';

/** The pixels that each visible column needs, with padding; the same map if nothing changed. */
function measureNeeds(root: HTMLElement, knownNeeds: Needs, isSamePage: boolean): Needs {
  root.classList.add(String(styles.measuring));
  const cellWidths = new Map<string, number[]>();
  for (const cell of root.querySelectorAll<HTMLElement>(
    '[role=gridcell][data-field]:is([aria-colspan="1"], :not([aria-colspan]))',
  )) {
    const { field = '' } = cell.dataset;
    cellWidths.set(field, [...(cellWidths.get(field) ?? []), cell.getBoundingClientRect().width]);
  }
  const nextNeeds = new Map(knownNeeds);
  let isChanged = false;
  for (const header of root.querySelectorAll<HTMLElement>('[role=columnheader][data-field]')) {
    const { field = '' } = header.dataset;
    const measured = Math.max(header.getBoundingClientRect().width, ninetyFifth(cellWidths.get(field) ?? []));
    const known = knownNeeds.get(field) ?? 0;
    const need = Math.ceil(isSamePage ? Math.max(measured, known) : measured);
    if (need === 0 || need === known) continue;
    nextNeeds.set(field, need);
    isChanged = true;
  }
  root.classList.remove(String(styles.measuring));
  return isChanged ? nextNeeds : knownNeeds;
}
