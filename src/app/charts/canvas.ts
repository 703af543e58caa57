import { createContext, type RefObject } from 'react';
import { fontFamily } from './registerCharts';
import { requireValue } from '../../engine/values/lookups';

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
