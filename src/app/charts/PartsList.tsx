import { Link, type To } from 'react-router-dom';
import { formatNumber } from '../../engine/formats/numbers';
import { percentOf } from '../../engine/formats/shares';
import { itemAt } from '../../engine/values/lookups';
import { colourAt, type ChartData } from './chartData';
import { cssColour } from './Legend';
import * as styles from './charts.module.css';

interface PartsListProps {
  data: ChartData;
  /** The list that each part links to. */
  urlOf?: (label: number) => To | undefined;
  /** Shows each part's percentage. */
  shares?: boolean;
  format?: (value: number) => string;
}

/** The parts of a doughnut as a list: colour, name, number and percentage. */
export function PartsList({ data: { labels, series }, urlOf, shares = true, format = formatNumber }: PartsListProps) {
  const [first] = series;
  if (!first) return null;
  const total = first.values.reduce((sum, value) => sum + value, 0);
  return (
    <ul className={styles.parts} data-compact={!shares || undefined}>
      {labels.map((label, index) => {
        const value = itemAt(first.values, index);
        const line = (
          <>
            <i style={{ background: cssColour(colourAt(first, index)) }} aria-hidden="true" />
            <span>{label}</span>
            <b className="num">{format(value)}</b>
            {shares && <em className="num">{(percentOf(value, total, 1) ?? 0).toFixed(1)}%</em>}
          </>
        );
        const path = urlOf?.(index);
        return <li key={label}>{path === undefined ? <span>{line}</span> : <Link to={path}>{line}</Link>}</li>;
      })}
    </ul>
  );
}
