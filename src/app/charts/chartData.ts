import { formatNumber } from '../../engine/formats/numbers';
import type { Colour } from './colours';

/** A row of values, one for each label. */
export interface ChartSeries {
  readonly key: string;
  readonly label: string;
  readonly values: readonly number[];
  /** One colour, or one for each label. */
  readonly colour: Colour | readonly Colour[];
}

/** What a chart shows, and its table says. */
export interface ChartData {
  readonly labels: readonly string[];
  readonly series: readonly ChartSeries[];
}

/** Where somebody clicked: the label, and the series at it. */
export interface Picked {
  readonly label: number;
  readonly series: number;
}

export const colourAt = ({ colour }: ChartSeries, label: number): Colour =>
  typeof colour === 'string' ? colour : (colour[label] ?? 'control');

export const isEmptyChart = ({ series }: ChartData): boolean =>
  series.every(({ values }) => values.every((one) => one === 0));

/** What is seen, for whoever does not see it: `Urgent: 3 Passed, 1 Failed; High: …`. */
export function inWords({ labels, series }: ChartData): string {
  const many = series.length > 1;
  return labels
    .map((label, index) => {
      const values = series.map((one) => `${formatNumber(one.values[index] ?? 0)}${many ? ` ${one.label}` : ''}`);
      return `${label}: ${values.join(', ')}`;
    })
    .join('; ');
}
