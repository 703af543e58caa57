import { Link, type To } from 'react-router-dom';
import { formatNumber } from '../../engine/formats/numbers';
import { itemAt } from '../../engine/values/lookups';
import type { ChartData, ChartPosition } from './chartData';
import * as styles from './charts.module.css';

interface NumbersTableProps {
  data: ChartData;
  /** The heading of the labels, such as "Priority". */
  head: string;
  title: string;
  /** Adds a total per row. Leave out if sums are meaningless. */
  total?: boolean;
  format?: (value: number) => string;
  /** The list that each number links to. */
  urlOf?: (picked: ChartPosition) => To | undefined;
}

/** The numbers of a chart as a table. */
export function NumbersTable({
  data: { labels, series },
  head,
  title,
  total = true,
  format = formatNumber,
  urlOf,
}: NumbersTableProps) {
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const hasManySeries = series.length > 1;
  return (
    <table className={styles.numbers}>
      <caption className="unseen">{title}</caption>
      <thead>
        <tr>
          <th scope="col">{head}</th>
          {series.map(({ key, label }) => (
            <th key={key} scope="col">
              {label}
            </th>
          ))}
          {hasManySeries && total && <th scope="col">Total</th>}
        </tr>
      </thead>
      <tbody>
        {labels.map((label, index) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            {series.map(({ key, values }, seriesIndex) => (
              <td key={key} className="num">
                <Value
                  text={format(itemAt(values, index))}
                  target={values[index] ? urlOf?.({ label: index, series: seriesIndex }) : undefined}
                />
              </td>
            ))}
            {hasManySeries && total && (
              <td className="num">{format(sum(series.map(({ values }) => itemAt(values, index))))}</td>
            )}
          </tr>
        ))}
        <tr className={styles.numbersAll}>
          <th scope="row">All</th>
          {series.map(({ key, values }) => (
            <td key={key} className="num">
              {format(sum(values))}
            </td>
          ))}
          {hasManySeries && total && <td className="num">{format(sum(series.flatMap(({ values }) => values)))}</td>}
        </tr>
      </tbody>
    </table>
  );
}

function Value({ text, target }: { text: string; target?: To }) {
  return target === undefined ? text : <Link to={target}>{text}</Link>;
}
