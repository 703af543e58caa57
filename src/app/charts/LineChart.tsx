import { Chart, LineController, LineElement, PointElement, type ChartOptions } from 'chart.js';
import { use } from 'react';
import { Line } from 'react-chartjs-2';
import { formatNumber } from '../../engine/formats/numbers';
import { CanvasContext } from './canvas';
import { colourAt, describeChart, type ChartData, tooltipStyle, useColours } from './chartData';
import './registerCharts';

Chart.register(LineController, LineElement, PointElement);

interface LineChartProps {
  data: ChartData;
  /** The accessible name of the chart. */
  label: string;
  format?: (value: number) => string;
}

/** A line for each series, in theme colours. */
export function LineChart({ data, label, format = formatNumber }: LineChartProps) {
  const colour = useColours();
  const canvas = use(CanvasContext);
  const options: ChartOptions<'line'> = {
    scales: {
      x: {
        border: { color: colour('line') },
        grid: { display: false },
        ticks: {
          color: colour('t2'),
          padding: 6,
          autoSkip: true,
          autoSkipPadding: 16,
          maxTicksLimit: 8,
          maxRotation: 0,
          callback: (_value, index) => (data.ticks ?? data.labels)[index] ?? '',
        },
      },
      y: {
        beginAtZero: true,
        border: { display: false },
        grid: { color: colour('line'), drawTicks: false },
        ticks: {
          color: colour('t3'),
          padding: 8,
          precision: 0,
          maxTicksLimit: 6,
          callback: (value) => formatNumber(Number(value)),
        },
      },
    },
    interaction: { mode: 'index', intersect: false },
    plugins: {
      legend: { display: false },
      tooltip: {
        ...tooltipStyle(colour),
        callbacks: { label: ({ dataset, raw }) => `${dataset.label}: ${format(raw as number)}` },
      },
    },
  };
  const datasets = data.series.map((series) => ({
    label: series.label,
    data: [...series.values],
    borderColor: colour(colourAt(series, 0)),
    backgroundColor: colour(colourAt(series, 0)),
    borderWidth: 2,
    pointRadius: data.labels.length > 40 ? 0 : 3,
    pointHoverRadius: 5,
    tension: 0,
  }));
  return (
    <Line
      ref={canvas as never}
      data={{ labels: [...data.labels], datasets }}
      options={options}
      aria-label={`${label}. ${describeChart(data)}`}
      role="img"
    />
  );
}
