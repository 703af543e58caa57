import { createContext, type RefObject } from 'react';
import { fontFamily } from './registerCharts';
import { requireValue, itemAt } from '../../engine/values/lookups';
import { colourAt, type ChartData, doughnutColours, type Colour } from './chartData';

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

/** A chart that can be saved as a picture. */
export interface ChartCanvas {
  readonly canvas: HTMLCanvasElement;
}

/** Gives a figure access to the chart drawn in it. */
export const CanvasContext = createContext<RefObject<ChartCanvas | null> | null>(null);

const margin = 24;
const titleHeight = 44;

/** Saves a chart as a PNG with its title and background. */
export function saveChartAsPng(
  { canvas }: ChartCanvas,
  title: string,
  colours: { ground: string; text: string },
): void {
  const scale = window.devicePixelRatio || 1;
  const picture = document.createElement('canvas');
  picture.width = canvas.width + 2 * margin * scale;
  picture.height = canvas.height + (titleHeight + margin) * scale;
  const pen = requireValue(picture.getContext('2d'), 'the drawing context of a canvas');
  pen.fillStyle = colours.ground;
  pen.fillRect(0, 0, picture.width, picture.height);
  pen.fillStyle = colours.text;
  pen.font = `600 ${14 * scale}px ${fontFamily}`;
  pen.fillText(title, margin * scale, 28 * scale);
  pen.drawImage(canvas, margin * scale, titleHeight * scale);
  const link = document.createElement('a');
  link.href = picture.toDataURL('image/png');
  link.download = `${title.toLowerCase().replace(/[^a-z0-9]+/g, '_')}.png`;
  link.click();
}
