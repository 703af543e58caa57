import {
  ArcElement,
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  DoughnutController,
  LinearScale,
  Tooltip,
} from 'chart.js';

/** The font of all text on canvases. */
export const fontFamily = "'Inter Variable', Inter, system-ui, sans-serif";

Chart.register(ArcElement, BarController, BarElement, CategoryScale, DoughnutController, LinearScale, Tooltip);
Chart.defaults.font.family = fontFamily;
Chart.defaults.font.size = 11;
Chart.defaults.maintainAspectRatio = false;
// No animation when figures refresh.
Chart.defaults.animation = false;
