import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import { useId, useRef, type ReactNode } from 'react';
import { Link, useLocation, type To } from 'react-router';
import { Icon } from '../icons/Icon';
import { useRemembered } from '../preferences/useRemembered';
import { CanvasContext, savePicture, type Canvas } from './canvas';
import { isEmptyChart, type ChartData, type Picked } from './chartData';
import { useColours } from './colours';
import { Legend } from './Legend';
import { Numbers } from './Numbers';
import './charts.css';

interface FigureProps {
  title: string;
  /** Muted, beside the title. */
  note?: string;
  /** Nothing is known yet where it is missing. */
  data?: ChartData;
  /** What the labels are, such as "Priority". */
  head: string;
  /** The list behind the figure, and what its link says. */
  list?: { to: To; label: string };
  /** The list behind each of the numbers. */
  to?: (picked: Picked) => To | undefined;
  /** What is said where there is nothing to draw. */
  empty?: string;
  legend?: boolean;
  /** Sums over the series mean nothing. */
  noTotals?: boolean;
  /** Shows its numbers until somebody closes them. */
  opensNumbers?: boolean;
  /** How many of the labels are drawn, where not all are: the card says so and leads to the numbers, which have all. */
  drawn?: number;
  format?: (value: number) => string;
  /** What stands below the chart, such as a list of its parts. */
  below?: ReactNode;
  className?: string;
  children: ReactNode;
}

/** Rows of a table of numbers before they are known: its head, four labels and their sum. */
const waitingRows = 6;

/**
 * A chart in its card: with its numbers as a table (the key N, or the button), as a picture to save, and the list behind
 * it. Whether the numbers show is remembered. An empty chart says so in words.
 */
export function Figure({
  title,
  note,
  data,
  head,
  list,
  to,
  empty,
  legend = true,
  noTotals,
  opensNumbers = false,
  drawn,
  format,
  below,
  className,
  children,
}: FigureProps) {
  const id = useId();
  const canvas = useRef<Canvas>(null);
  const colour = useColours();
  // Two screens may have a figure of one title.
  const { pathname } = useLocation();
  const [numbers, setNumbers] = useRemembered(`assay.numbers.${pathname}.${title}`, opensNumbers);
  const isEmpty = data && isEmptyChart(data);
  return (
    <section
      className={`figure${className ? ` ${className}` : ''}`}
      aria-labelledby={id}
      onKeyDown={(event) => {
        const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
        if (plain && event.key.toLowerCase() === 'n' && data && !isEmpty) setNumbers(!numbers);
      }}
    >
      <header>
        <h2 id={id}>{title}</h2>
        {note && <small>{note}</small>}
        <span className="figure-grow" />
        {data && !isEmpty && (
          <>
            <IconButton
              size="small"
              className="figure-numbers"
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
                canvas.current && savePicture(canvas.current, title, { ground: colour('surface'), text: colour('t1') })
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
      </header>
      {legend && !data && <span className="legend-waiting" aria-hidden="true" />}
      {legend && data && !isEmpty && <Legend series={data.series} />}
      <div className="figure-chart">
        {!data && <span className="skeleton figure-skeleton" aria-hidden="true" />}
        {isEmpty && <p className="figure-empty">{empty ?? 'Nothing to show yet.'}</p>}
        {data && !isEmpty && <CanvasContext value={canvas}>{children}</CanvasContext>}
      </div>
      {data && !isEmpty && below}
      {data && !isEmpty && drawn !== undefined && drawn < data.labels.length && (
        <p className="figure-drawn">
          Showing the first {drawn} of {data.labels.length}.
          {!numbers && <Button onClick={() => setNumbers(true)}>Show the numbers of all {data.labels.length}</Button>}
        </p>
      )}
      {!data && numbers && (
        <span className="numbers-waiting" style={{ height: waitingRows * 36 + 1 }} aria-hidden="true" />
      )}
      {data && !isEmpty && numbers && <Numbers {...{ data, head, title, format, to }} total={!noTotals} />}
    </section>
  );
}
