import { createContext, type RefObject } from 'react';
import { family } from './registerCharts';

/** A chart that can be saved as a picture. */
export interface Canvas {
  readonly canvas: HTMLCanvasElement;
}

/** Gives a figure access to the chart drawn in it. */
export const CanvasContext = createContext<RefObject<Canvas | null> | null>(null);

const edge = 24;
const head = 44;

/** Saves a chart as a PNG with its title and background. */
export function savePicture({ canvas }: Canvas, title: string, colours: { ground: string; text: string }): void {
  const scale = window.devicePixelRatio || 1;
  const picture = document.createElement('canvas');
  picture.width = canvas.width + 2 * edge * scale;
  picture.height = canvas.height + (head + edge) * scale;
  const pen = picture.getContext('2d')!;
  pen.fillStyle = colours.ground;
  pen.fillRect(0, 0, picture.width, picture.height);
  pen.fillStyle = colours.text;
  pen.font = `600 ${14 * scale}px ${family}`;
  pen.fillText(title, edge * scale, 28 * scale);
  pen.drawImage(canvas, edge * scale, head * scale);
  const link = document.createElement('a');
  link.href = picture.toDataURL('image/png');
  link.download = `${title.toLowerCase().replace(/[^a-z0-9]+/g, '_')}.png`;
  link.click();
}
