import { formatNumber } from '../../engine/formats/numbers';
import type { Colour } from './colours';

/** A series of values, one per label. */
export interface ChartSeries {
  readonly key: string;
  readonly label: string;
  readonly values: readonly number[];
  /** One colour, or one for each label. */
  readonly colour: Colour | readonly Colour[];
}

/** The data of a chart and its table. */
export interface ChartData {
  readonly labels: readonly string[];
  /** The labels as axes show them, where they are shorter there. */
  readonly ticks?: readonly string[];
  readonly series: readonly ChartSeries[];
}

/** The clicked position: label and series. */
export interface ChartPosition {
  readonly label: number;
  readonly series: number;
}

export const colourAt = ({ colour }: ChartSeries, label: number): Colour =>
  typeof colour === 'string' ? colour : (colour[label] ?? 'control');

export const isEmptyChart = ({ series }: ChartData): boolean =>
  series.every(({ values }) => values.every((value) => value === 0));

/** A text alternative for screen readers: `Urgent: 3 Passed, 1 Failed; High: …`. */
export function describeChart({ labels, series }: ChartData): string {
  const hasManySeries = series.length > 1;
  return labels
    .map((label, index) => {
      const values = series.map(
        (entry) => `${formatNumber(entry.values[index] ?? 0)}${hasManySeries ? ` ${entry.label}` : ''}`,
      );
      return `${label}: ${values.join(', ')}`;
    })
    .join('; ');
}
