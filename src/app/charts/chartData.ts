import { formatNumber } from '../../engine/formats/numbers';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useMemo } from 'react';
import { useThemeChoice } from '../theme/themeChoice';

/** A token name (`accent`, `urgent-bg`) or a literal colour (`#f5bc00`). */
export type Colour = string;

/** Resolves tokens to the colours of the current scheme, because canvases cannot read CSS variables. */
export function useColours(): (colour: Colour) => string {
  const { scheme } = useThemeChoice();
  const isForced = useMediaQuery('(forced-colors: active)', { noSsr: true });
  return useMemo(() => {
    // Depend on the scheme: computed styles change with it.
    void scheme;
    const style = getComputedStyle(document.documentElement);
    const resolveColour = (colour: Colour) =>
      colour.startsWith('#') ? colour : style.getPropertyValue(`--${colour}`).trim() || '#888888';
    return (colour) => (isForced ? forcedColours[colour] : undefined) ?? resolveColour(colour);
  }, [isForced, scheme]);
}

/** System colours for forced-colors mode, which does not apply to canvases. */
const forcedColours: Readonly<Record<Colour, string>> = {
  t1: 'CanvasText',
  t2: 'CanvasText',
  t3: 'CanvasText',
  line: 'GrayText',
  'line-2': 'CanvasText',
  surface: 'Canvas',
  raised: 'Canvas',
};

/** Colours of a doughnut's two parts if the data has none. */
export const doughnutColours = ['#046bb5', '#dbedff'] as const satisfies readonly Colour[];

/**
 * By a priority's rank: urgent, high, medium, low; the rest is grey.
 *
 * @example const colour = priorityColour(0); // that of the most urgent one
 */
export function priorityColour(index: number): Colour {
  return (['urgent', 'high', 'medium', 'low'] as const)[index] ?? 'control';
}

/** The style of a chart's tooltip. */
export function tooltipStyle(colour: (colour: Colour) => string) {
  return {
    backgroundColor: colour('raised'),
    borderColor: colour('line-2'),
    borderWidth: 1,
    titleColor: colour('t1'),
    bodyColor: colour('t2'),
    boxPadding: 4,
  };
}

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
