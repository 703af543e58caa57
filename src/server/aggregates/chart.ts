/** A chart as sent to clients: each series has one value per label. */
export interface Chart {
  readonly labels: readonly string[];
  readonly series: readonly Series[];
}

export interface Series {
  readonly key: string;
  readonly label: string;
  readonly values: readonly number[];
}

/**
 * Builds a chart from rows of `[label, value, value, …]`, with one value for each named series.
 *
 * @example buildChart({ done: 'Done', open: 'Open' }, [['Nov', 12, 3]]); // one label, two series
 */
export function buildChart(
  series: Readonly<Record<string, string>>,
  rows: readonly (readonly [label: string, ...values: number[]])[],
): Chart {
  return {
    labels: rows.map(([label]) => label),
    series: Object.entries(series).map(([key, label], index) => ({
      key,
      label,
      values: rows.map((row) => row[index + 1] as number),
    })),
  };
}
