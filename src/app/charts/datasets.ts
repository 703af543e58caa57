import { colourAt, type ChartData } from './chartData';
import { doughnutColours, type Colour } from './colours';
import { itemAt } from '../../engine/values/lookups';

/** The share of its slot that a stacked bar fills. */
const stackedThickness = 0.4;

/** Resolves a colour for a canvas. */
type ResolveColour = (colour: Colour) => string;

/** Chart.js datasets of bars: side by side, or stacked with a thin line between parts. */
export function barDatasets(
  data: ChartData,
  { stacked, horizontal }: { stacked: boolean; horizontal: boolean },
  colour: ResolveColour,
) {
  return data.series.map((series) => ({
    label: series.label,
    data: [...series.values],
    backgroundColor: data.labels.map((_, index) => colour(colourAt(series, index))),
    borderColor: colour('surface'),
    borderWidth: stacked ? (horizontal ? { right: 1 } : { bottom: 1 }) : 0,
    borderRadius: 3,
    ...(stacked
      ? { categoryPercentage: 1, barPercentage: stackedThickness }
      : { categoryPercentage: 0.6, barPercentage: 0.9, maxBarThickness: 28 }),
  }));
}

/** The hole's width, relative to the ring's. */
export const ringCutout = '70%';

/** The Chart.js dataset of a ring. Without own colours the parts alternate between the two doughnut colours. */
export function ringDataset({ series: [series] }: ChartData, colour: ResolveColour) {
  const values = series?.values ?? [];
  const colours: readonly Colour[] = Array.isArray(series?.colour)
    ? (series.colour as readonly Colour[])
    : doughnutColours;
  return {
    label: series?.label ?? '',
    data: [...values],
    backgroundColor: values.map((_, index) => colour(itemAt(colours, index % colours.length))),
    borderWidth: 0,
    spacing: 2,
    hoverOffset: 4,
  };
}
