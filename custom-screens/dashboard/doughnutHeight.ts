const least = 110;
const most = 260;
/** Of the window's width; 192 px at 1440. */
const share = 2 / 15;

/** How high the doughnut is, in CSS pixels: it follows the window's width from 110 up to 260. */
export function doughnutHeight(windowWidth: number): number {
  return Math.round(Math.min(most, Math.max(least, windowWidth * share)));
}
