const minHeight = 110;
const maxHeight = 260;
/** Share of the window's width: 192 px at 1440 px. */
const heightRatio = 2 / 15;

/** The height of the doughnut chart, in CSS pixels: proportional to the window's width, from 110 to 260. */
export function doughnutHeight(windowWidth: number): number {
  return Math.round(Math.min(maxHeight, Math.max(minHeight, windowWidth * heightRatio)));
}
