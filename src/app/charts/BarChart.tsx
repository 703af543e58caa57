import type { ActiveElement, ChartEvent, ChartOptions, ChartType, Plugin } from 'chart.js';
import { use } from 'react';
import { Bar } from 'react-chartjs-2';
import { formatNumber } from '../../engine/formats/numbers';
import { describeChart, type ChartData, type ChartPosition, tooltipStyle, useColours } from './chartData';
import { CanvasContext, barDatasets } from './canvas';
import { fontFamily } from './registerCharts';
import * as styles from './charts.module.css';

interface BarChartProps {
  data: ChartData;
  /** The accessible name of the chart. */
  label: string;
  stacked?: boolean;
  horizontal?: boolean;
  /** The end of the value axis; by default the largest value. */
  max?: number;
  /** The step between the lines of the value axis. */
  step?: number;
  /** Shown below the labels. */
  axisTitle?: string;
  /** Text at the end of each horizontal bar, and inside its start. */
  notes?: readonly BarNote[];
  /** Hides lines and numbers of the value axis. */
  hidesAxis?: boolean;
  /** One of several in a row: labels are shortened, and left out where they would overlap. */
  isSmall?: boolean;
  /** Formats a value in its tooltip. */
  format?: (value: number) => string;
  onPick?: (picked: ChartPosition) => void;
}

interface BarNote {
  readonly end: string;
  readonly barText: string;
}

interface BarNotes {
  readonly notes: readonly BarNote[] | undefined;
  readonly colour: string;
}

declare module 'chart.js' {
  interface PluginOptionsByType<TType extends ChartType> {
    barNotes?: BarNotes;
  }
}

/** Pixels reserved for the notes at the end of bars. */
const noteWidth = 132;
/** Pixels for each horizontal bar, gaps included. */
const barHeight = 70;

/** Bars side by side or stacked, in theme colours. */
export function BarChart({
  data,
  label,
  stacked = false,
  horizontal = false,
  max,
  step,
  axisTitle,
  notes,
  hidesAxis = false,
  isSmall = false,
  format = formatNumber,
  onPick,
}: BarChartProps) {
  const colour = useColours();
  const canvas = use(CanvasContext);
  const values = {
    beginAtZero: true,
    stacked,
    max,
    border: { display: false },
    grid: { color: colour('line'), drawTicks: false, display: !hidesAxis },
    ticks: {
      display: !hidesAxis,
      color: colour('t3'),
      padding: 8,
      precision: 0,
      callback: (value: string | number) => formatNumber(Number(value)),
      maxTicksLimit: step === undefined ? 6 : undefined,
      stepSize: step,
    },
  };
  const labels = {
    stacked,
    border: { color: colour('line'), display: !hidesAxis },
    grid: { display: false },
    ticks: {
      color: colour('t2'),
      padding: 6,
      autoSkip: isSmall || data.labels.length > 12,
      maxRotation: 0,
      callback: (_value: unknown, index: number) => {
        const text = (data.ticks ?? data.labels)[index] ?? '';
        return isSmall ? shortened(text) : wrapLabel(text);
      },
    },
    ...(axisTitle && { title: { display: true, text: axisTitle, color: colour('t2') } }),
  };
  const pick = (_event: ChartEvent, [element]: ActiveElement[]) =>
    element && onPick?.({ label: element.index, series: element.datasetIndex });
  const options: ChartOptions<'bar'> = {
    layout: { padding: { right: notes ? noteWidth : 0 } },
    indexAxis: horizontal ? 'y' : 'x',
    scales: horizontal ? { x: values, y: labels } : { x: labels, y: values },
    interaction: { mode: 'nearest', intersect: true },
    plugins: {
      legend: { display: false },
      tooltip: {
        ...tooltipStyle(colour),
        callbacks: {
          label: ({ dataset, raw }) => `${dataset.label}: ${format(raw as number)}`,
        },
      },
      // Chart.js applies changed options to an existing chart, but not a changed list of plugins.
      barNotes: { notes, colour: colour('t2') },
    },
    onClick: onPick && pick,
    onHover: (event, [element]) => {
      const target = event.native?.target;
      if (target instanceof HTMLElement) target.style.cursor = element && onPick ? 'pointer' : '';
    },
  };
  const datasets = barDatasets(data, { stacked, horizontal }, colour);
  const chart = (
    <Bar
      ref={canvas as never}
      data={{ labels: [...data.labels], datasets }}
      options={options}
      plugins={plugins}
      aria-label={`${label}. ${describeChart(data)}`}
      role="img"
    />
  );
  if (!horizontal) return chart;
  return (
    <div className={styles.barsHorizontal} style={{ height: data.labels.length * barHeight }}>
      {chart}
    </div>
  );
}

/** Draws the notes: one at the right of each horizontal bar, and one inside it if it is long enough. */
const barNotes: Plugin<'bar', BarNotes> = {
  id: 'barNotes',
  afterDatasetsDraw: (chart, _args, { notes, colour }) => {
    if (!notes) return;
    const { ctx, chartArea, width } = chart;
    ctx.save();
    ctx.textBaseline = 'middle';
    for (const [index, bar] of chart.getDatasetMeta(0).data.entries()) {
      const note = notes[index];
      if (!note) continue;
      ctx.fillStyle = colour;
      ctx.font = `12px ${fontFamily}`;
      ctx.textAlign = 'right';
      ctx.fillText(note.end, width, bar.y, width - chartArea.right - 8);
      if (bar.x - chartArea.left < 48) continue;
      ctx.fillStyle = '#ffffff';
      ctx.font = `600 11px ${fontFamily}`;
      ctx.textAlign = 'left';
      ctx.fillText(note.barText, chartArea.left + 10, bar.y);
    }
    ctx.restore();
  },
};
const plugins = [barNotes];

/** A label for one line of a small chart. */
const shortened = (label: string) => (label.length > 12 ? `${label.slice(0, 11).trimEnd()}…` : label);

/** Wraps a long label. */
function wrapLabel(label: string): string[] {
  const lines: string[] = [];
  for (const word of label.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < 13) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word.length > 16 ? `${word.slice(0, 15)}…` : word);
  }
  return lines;
}
