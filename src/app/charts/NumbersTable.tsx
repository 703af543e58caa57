import { Link, type To } from 'react-router';
import { formatNumber } from '../../engine/formats/numbers';
import type { ChartData, ChartPosition } from './chartData';
import * as styles from './charts.module.css';

interface NumbersTableProps {
  data: ChartData;
  /** What the labels are, such as "Priority". */
  head: string;
  title: string;
  /** Adds a total per row. Leave out if sums are meaningless. */
  total?: boolean;
  format?: (value: number) => string;
  /** The list that each number links to. */
  to?: (picked: ChartPosition) => To | undefined;
}

/** The numbers of a chart as a table. */
export function NumbersTable({
  data: { labels, series },
  head,
  title,
  total = true,
  format = formatNumber,
  to,
}: NumbersTableProps) {
  const sum = (values: readonly number[]) => values.reduce((all, one) => all + one, 0);
  const many = series.length > 1;
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
          {many && total && <th scope="col">Total</th>}
        </tr>
      </thead>
      <tbody>
        {labels.map((label, index) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            {series.map(({ key, values }, place) => (
              <td key={key} className="num">
                <Value
                  text={format(values[index]!)}
                  to={values[index] ? to?.({ label: index, series: place }) : undefined}
                />
              </td>
            ))}
            {many && total && <td className="num">{format(sum(series.map(({ values }) => values[index]!)))}</td>}
          </tr>
        ))}
        <tr className={styles.numbersAll}>
          <th scope="row">All</th>
          {series.map(({ key, values }) => (
            <td key={key} className="num">
              {format(sum(values))}
            </td>
          ))}
          {many && total && <td className="num">{format(sum(series.flatMap(({ values }) => values)))}</td>}
        </tr>
      </tbody>
    </table>
  );
}

function Value({ text, to }: { text: string; to?: To }) {
  return to === undefined ? text : <Link to={to}>{text}</Link>;
}
