import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import { useId, useRef, type ReactNode } from 'react';
import { Link, useLocation, type To } from 'react-router-dom';
import { Icon } from '../icons/Icon';
import { useRemembered } from '../preferences/useRemembered';
import { CanvasContext, saveChartAsPng, type ChartCanvas } from './canvas';
import { isEmptyChart, type ChartData, type ChartPosition, useColours } from './chartData';
import { Legend } from './Legend';
import { NumbersTable } from './NumbersTable';
import * as statesStyles from '../states/states.module.css';
import * as styles from './charts.module.css';

interface FigureProps {
  title: string;
  /** Muted, beside the title. */
  note?: string;
  /** Undefined while loading. */
  data?: ChartData;
  /** The heading of the labels, such as "Priority". */
  head: string;
  /** The list that the figure links to, and the link's label. */
  list?: { to: To; label: string };
  /** The list that each number links to. */
  urlOf?: (picked: ChartPosition) => To | undefined;
  /** The text of an empty chart. */
  empty?: string;
  legend?: boolean;
  /** Hides totals: sums over the series are meaningless. */
  noTotals?: boolean;
  /** Shows the table of numbers by default. */
  opensNumbers?: boolean;
  /** How many labels are drawn, if not all: the card says so and offers the table with all of them. */
  drawnCount?: number;
  format?: (value: number) => string;
  /** Shown below the chart, such as a list of its parts. */
  footer?: ReactNode;
  className?: string;
  /** Shown at the end of the header. */
  actions?: ReactNode;
  children: ReactNode;
}

/** Rows of the number table's skeleton: head, four labels and their sum. */
const waitingRows = 6;

/**
 * A chart in a card: its numbers as a table (the key N, or the button), a PNG to download, and a link to its list.
 * Whether the table shows is remembered. An empty chart says so in text.
 */
export function Figure({
  title,
  note,
  data,
  head,
  list,
  urlOf,
  empty,
  legend = true,
  noTotals,
  opensNumbers = false,
  drawnCount,
  format,
  footer,
  className,
  actions,
  children,
}: FigureProps) {
  const id = useId();
  const canvas = useRef<ChartCanvas>(null);
  const colour = useColours();
  // Two screens may have figures with the same title.
  const { pathname } = useLocation();
  const [numbers, setNumbers] = useRemembered(`assay.numbers.${pathname}.${title}`, opensNumbers);
  const isEmpty = data && isEmptyChart(data);
  return (
    <section
      className={`${styles.figure}${className ? ` ${className}` : ''}`}
      aria-labelledby={id}
      onKeyDown={(event) => {
        const hasNoModifier = !event.ctrlKey && !event.metaKey && !event.altKey;
        if (hasNoModifier && event.key.toLowerCase() === 'n' && data && !isEmpty) setNumbers(!numbers);
      }}
    >
      <header>
        <h2 id={id}>{title}</h2>
        {note && <small>{note}</small>}
        <span className={styles.figureGrow} />
        {data && !isEmpty && (
          <>
            <IconButton
              size="small"
              className={styles.figureNumbers}
              aria-pressed={numbers}
              aria-label={`Show the numbers of ${title}`}
              title="Numbers (N)"
              onClick={() => setNumbers(!numbers)}
            >
              <Icon name="list" />
            </IconButton>
            <IconButton
              size="small"
              aria-label={`Download ${title} as PNG`}
              title="Download as PNG"
              onClick={() =>
                canvas.current &&
                saveChartAsPng(canvas.current, title, { ground: colour('surface'), text: colour('t1') })
              }
            >
              <Icon name="download" />
            </IconButton>
          </>
        )}
        {list && (
          <IconButton size="small" component={Link} to={list.to} aria-label={list.label} title={list.label}>
            <Icon name="external" />
          </IconButton>
        )}
        {actions}
      </header>
      {legend && !data && <span className={styles.legendWaiting} aria-hidden="true" />}
      {legend && data && !isEmpty && <Legend series={data.series} />}
      <div className={styles.figureChart}>
        {!data && <span className={`${statesStyles.skeleton} ${styles.figureSkeleton}`} aria-hidden="true" />}
        {isEmpty && <p className={styles.figureEmpty}>{empty ?? 'Nothing to show yet.'}</p>}
        {data && !isEmpty && <CanvasContext value={canvas}>{children}</CanvasContext>}
      </div>
      {data && !isEmpty && footer}
      {data && !isEmpty && drawnCount !== undefined && drawnCount < data.labels.length && (
        <p className={styles.figureDrawn}>
          Showing the first {drawnCount} of {data.labels.length}.
          {!numbers && <Button onClick={() => setNumbers(true)}>Show the numbers of all {data.labels.length}</Button>}
        </p>
      )}
      {!data && numbers && (
        <span className={styles.numbersWaiting} style={{ height: waitingRows * 36 + 1 }} aria-hidden="true" />
      )}
      {data && !isEmpty && numbers && <NumbersTable {...{ data, head, title, format, urlOf }} total={!noTotals} />}
    </section>
  );
}
