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

/** The type of everything that is written on a canvas. */
export const family = "'Inter Variable', Inter, system-ui, sans-serif";

Chart.register(ArcElement, BarController, BarElement, CategoryScale, DoughnutController, LinearScale, Tooltip);
Chart.defaults.font.family = family;
Chart.defaults.font.size = 11;
Chart.defaults.maintainAspectRatio = false;
// Figures that come anew by themselves must not dance.
Chart.defaults.animation = false;
