import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
  type RefObject,
} from 'react';
import type { RaRecord } from 'react-admin';
import { fieldTypeOf } from '../../../engine/field-types';
import type { ValueKind } from '../../../engine/field-types/field-type';
import { resolveColumn } from '../../../engine/lists/column-value';
import type { Column, Definition } from '../../../engine/definitions/definition';
import type { Registry } from '../../../engine/registry/registry';
import { useDefinitions } from '../../data/DefinitionsContext';
import { LoadingFallback } from '../../states/lazyComponent';
import { ColumnCell } from '../ColumnCell';
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

interface FittedColumnsInput {
  definition: Definition;
  columns: readonly Column[];
  rows: readonly RaRecord[];
  /** The field by which the rows are sorted, whose header has an arrow. */
  sortField: string;
  /** A column of checkboxes is first; else the first column of these is as far from the edge as the title of the screen. */
  hasCheckboxes: boolean;
  /** The pixels of the columns beside these, as of the actions. */
  reservedWidth: number;
}

interface Measured {
  readonly rows: readonly RaRecord[];
  readonly columns: readonly Column[];
  /** The pixels that each column neededWidths, with padding, by its field. */
  readonly neededWidths: ReadonlyMap<string, number>;
  /** The pixels of the grid. */
  readonly width: number;
  /** The code of some values is still loading, which may make their columns wider. */
  readonly isLoading: boolean;
}

/** Pixels of the scrollbar, of a cell's padding on both sides, and of the arrow of a sorted header. */
const scrollbar = 14;
const padding = 20;
const sortArrow = 29;
/** Pixels that the first column has besides, at the edge of the screen. */
const edge = 14;

/** The field of the column that is the title of each row. */
export function titleFieldOf(columns: readonly Column[], definition: Definition): string {
  return columns.find(({ secondLine }) => secondLine)?.field ?? definition.titleField;
}

/**
 * Fits the columns of a grid to what it shows. Header and values of a page are measured once, out of sight, before the grid
 * gets them: nothing moves after it was painted. Values that change on the page make a column wider, never narrower.
 * Returns where the columns stand, with the rows that they were measured for, undefined at first; the element that measures;
 * and what takes the width of the grid as it changes.
 */
export function useFittedColumns(input: FittedColumnsInput): {
  fit: { fittedColumns: FittedColumns; rows: readonly RaRecord[] } | undefined;
  sample: ReactNode;
  onViewportWidth: (width: number) => void;
} {
  const { definition, columns, rows, sortField, reservedWidth, hasCheckboxes } = input;
  const { registry } = useDefinitions();
  const [measured, setMeasured] = useState<Measured>();
  const [measureCount, setMeasureCount] = useState(0);
  const sampleElement = useRef<HTMLDivElement>(null);
  const isMeasured = measured?.rows === rows && measured.columns === columns;

  useLayoutEffect(() => {
    const root = sampleElement.current;
    if (!root) return;
    setMeasured((lastMeasure) => {
      const isSamePage = lastMeasure?.columns === columns && idsOf(lastMeasure.rows) === idsOf(rows);
      const neededWidths = new Map(lastMeasure?.neededWidths);
      for (const [field, need] of measureNeeds(root, sortField, hasCheckboxes ? undefined : columns[0]?.field))
        neededWidths.set(field, isSamePage ? Math.max(need, neededWidths.get(field) ?? 0) : need);
      const width = lastMeasure?.width ?? (root.parentElement?.clientWidth ?? 0) - scrollbar;
      return { rows, columns, neededWidths, width, isLoading: isLoadingIn(root) };
    });
    const observer = new MutationObserver(() => setMeasureCount((count) => count + 1));
    observer.observe(root, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, [columns, measureCount, hasCheckboxes, isMeasured, rows, sortField]);
  useEffect(() => {
    // Until its font has loaded, text is of another width.
    if (document.fonts?.status !== 'loading') return;
    let isGone = false;
    void document.fonts.ready.then(() => {
      if (isGone) return;
      setMeasured((lastMeasure) => lastMeasure && { ...lastMeasure, rows: [] });
      setMeasureCount((count) => count + 1);
    });
    return () => {
      isGone = true;
    };
  }, []);
  const onViewportWidth = useCallback(
    (width: number) =>
      setMeasured(
        (lastMeasure) => lastMeasure && (lastMeasure.width === width ? lastMeasure : { ...lastMeasure, width }),
      ),
    [],
  );

  const fit = useMemo(
    () =>
      measured && {
        fittedColumns: fitMeasured(measured, { definition, registry, reservedWidth, sortField }),
        rows: measured.rows,
      },
    [definition, measured, registry, reservedWidth, sortField],
  );
  return {
    fit,
    onViewportWidth,
    sample: (!isMeasured || measured.isLoading) && <Sample ref={sampleElement} {...{ definition, columns, rows }} />,
  };
}

const idsOf = (rows: readonly RaRecord[]) => rows.map(({ id }) => id).join();

type FitContext = Pick<FittedColumnsInput, 'definition' | 'reservedWidth' | 'sortField'> & {
  readonly registry: Registry;
};

function fitMeasured(
  { columns, neededWidths, width }: Measured,
  { definition, registry, reservedWidth, sortField }: FitContext,
): FittedColumns {
  const kindOf = ({ field }: Column) => {
    const source = resolveColumn(field, definition, registry);
    return source && fieldTypeOf(source.field).holds;
  };
  const titleField = titleFieldOf(columns, definition);
  const title = columns.find(({ field }) => field === titleField);
  const widestField = (
    title ?? columns.find((column) => mayLeave(column, kindOf(column)) && column.width === undefined)
  )?.field;
  const otherColumns = columns
    .filter(({ field }) => field !== widestField)
    .map((column, index) => ({
      ...{ field: column.field, need: neededWidths.get(column.field), width: column.width },
      // The order stays where it was chosen.
      leaves:
        column.field !== sortField && mayLeave(column, kindOf(column))
          ? (column.priority ?? 0) * columns.length + index
          : undefined,
    }));
  const room = width > 0 ? width - reservedWidth : Infinity;
  const { widths, movedFields } = fitColumns(otherColumns, room, title !== undefined && title.width === undefined);
  if (movedFields.length === 0) return { columns, widths, widestField };
  const remainingColumns = columns.filter(({ field }) => !movedFields.includes(field));
  return {
    columns: remainingColumns.map((column) =>
      column === title ? { ...column, secondLine: [...(column.secondLine ?? []), ...movedFields] } : column,
    ),
    ...{ widths, widestField },
  };
}

/** The kinds of values that are understood without their heading. */
const plainKinds = new Set<ValueKind | undefined>(['text', 'record', 'records', 'day', 'instant', 'time']);

/** Whether a column may continue in the second line of the title: as text. Bars stay, and what the definition fixes. */
const mayLeave = ({ field, fixed: isFixed, parts }: Column, kind: ValueKind | undefined) =>
  !isFixed && !parts && field !== 'id' && plainKinds.has(kind);

interface SampleProps {
  ref: RefObject<HTMLDivElement | null>;
  definition: Definition;
  columns: readonly Column[];
  rows: readonly RaRecord[];
}

/** Headers and values as a grid draws them, side by side and out of sight. */
function Sample({ ref, definition, columns, rows }: SampleProps) {
  const { registry } = useDefinitions();
  const titleField = titleFieldOf(columns, definition);
  return (
    <div ref={ref} className={styles.sample} aria-hidden="true" inert>
      <LoadingFallback fallback={<i data-loading />}>
        {columns.map((column) => {
          const source = resolveColumn(column.field, definition, registry);
          if (!source || column.field === titleField || column.width !== undefined) return null;
          return (
            <div key={column.field} data-field={column.field}>
              <b>{column.label}</b>
              {rows.map((record) => (
                <span key={record.id}>
                  <ColumnCell {...{ definition, source, column, record }} />
                </span>
              ))}
            </div>
          );
        })}
      </LoadingFallback>
    </div>
  );
}

/** The code of a value could not be loaded: what says so is not as wide as the value. */
const isLost = (part: Element) => part.querySelector('[role=alert], [role=status]') !== null;

const isLoadingIn = (sample: Element) =>
  [...sample.querySelectorAll('[data-loading]')].some(({ parentElement }) => parentElement && !isLost(parentElement));

function measureNeeds(sample: HTMLElement, sortField: string, edgeField: string | undefined): [string, number][] {
  return [...sample.children].flatMap((column): [string, number][] => {
    const { field = '' } = (column as HTMLElement).dataset;
    const [header = 0, ...values] = [...column.children]
      .filter((part) => !isLost(part))
      .map((part) => part.getBoundingClientRect().width);
    const need = Math.max(header + (field === sortField ? sortArrow : 0), ninetyFifth(values));
    return need === 0 ? [] : [[field, Math.ceil(need) + padding + (field === edgeField ? edge : 0)]];
  });
}
