import type { ActiveElement, ChartEvent, ChartOptions, Plugin } from 'chart.js';
import { use } from 'react';
import { Bar } from 'react-chartjs-2';
import { colourAt, inWords, type ChartData, type Picked } from './chartData';
import { tipLook, useColours } from './colours';
import { CanvasContext } from './canvas';
import { family } from './registerCharts';

interface BarChartProps {
  data: ChartData;
  /** Stands for the chart where it is not seen. */
  label: string;
  stacked?: boolean;
  horizontal?: boolean;
  /** The end of the value axis; without it as far as the values go. */
  max?: number;
  /** The distance of the value axis' lines. */
  step?: number;
  /** Shown below the labels. */
  axisTitle?: string;
  /** Said at the end of each bar that lies, and within its beginning. */
  notes?: readonly { readonly end: string; readonly within: string }[];
  /** Neither lines nor numbers on the value axis. */
  bare?: boolean;
  /** What a value is called in its tip. */
  format?: (value: number) => string;
  onPick?: (picked: Picked) => void;
}

/** Pixels that are kept free for what is said at the end of bars. */
const noteWidth = 132;

/** Bars side by side or stacked, in the colours of the theme. */
export function BarChart({
  data,
  label,
  stacked = false,
  horizontal = false,
  max,
  step,
  axisTitle,
  notes,
  bare = false,
  format,
  onPick,
}: BarChartProps) {
  const colour = useColours();
  const canvas = use(CanvasContext);
  const values = {
    beginAtZero: true,
    stacked,
    max,
    border: { display: false },
    grid: { color: colour('line'), drawTicks: false, display: !bare },
    ticks: {
      display: !bare,
      color: colour('t3'),
      padding: 8,
      precision: 0,
      maxTicksLimit: step === undefined ? 6 : undefined,
      stepSize: step,
    },
  };
  const labels = {
    stacked,
    border: { color: colour('line'), display: !bare },
    grid: { display: false },
    ticks: {
      color: colour('t2'),
      padding: 6,
      autoSkip: data.labels.length > 12,
      maxRotation: 0,
      callback: (_value: unknown, index: number) => wrapped(data.labels[index] ?? ''),
    },
    ...(axisTitle && { title: { display: true, text: axisTitle, color: colour('t2') } }),
  };
  const pick = (_event: ChartEvent, [at]: ActiveElement[]) => at && onPick?.({ label: at.index, series: at.datasetIndex }); // prettier-ignore
  const options: ChartOptions<'bar'> = {
    layout: { padding: { right: notes ? noteWidth : 0 } },
    indexAxis: horizontal ? 'y' : 'x',
    scales: horizontal ? { x: values, y: labels } : { x: labels, y: values },
    interaction: { mode: 'nearest', intersect: true },
    plugins: {
      legend: { display: false },
      tooltip: {
        ...tipLook(colour),
        callbacks: {
          label: ({ dataset, raw }) => `${dataset.label}: ${format ? format(raw as number) : String(raw)}`,
        },
      },
    },
    onClick: onPick && pick,
    onHover: (event, [at]) => {
      const target = event.native?.target;
      if (target instanceof HTMLElement) target.style.cursor = at && onPick ? 'pointer' : '';
    },
  };
  const datasets = data.series.map((series) => ({
    label: series.label,
    data: [...series.values],
    backgroundColor: data.labels.map((_, index) => colour(colourAt(series, index))),
    borderColor: colour('surface'),
    borderWidth: stacked ? (horizontal ? { right: 1 } : { bottom: 1 }) : 0,
    borderRadius: 3,
    maxBarThickness: 28,
    categoryPercentage: 0.6,
    barPercentage: 0.9,
  }));
  return (
    <Bar
      ref={canvas as never}
      data={{ labels: [...data.labels], datasets }}
      options={options}
      plugins={notes && [barNotes(notes, colour('t2'))]}
      aria-label={`${label}. ${inWords(data)}`}
      role="img"
    />
  );
}

/** Writes a text at the right of each lying bar, and one into it where there is room. */
function barNotes(notes: NonNullable<BarChartProps['notes']>, colour: string): Plugin<'bar'> {
  return {
    id: 'barNotes',
    afterDatasetsDraw: (chart) => {
      const { ctx, chartArea, width } = chart;
      ctx.save();
      ctx.textBaseline = 'middle';
      for (const [index, bar] of chart.getDatasetMeta(0).data.entries()) {
        const note = notes[index];
        if (!note) continue;
        ctx.fillStyle = colour;
        ctx.font = `12px ${family}`;
        ctx.textAlign = 'right';
        ctx.fillText(note.end, width, bar.y, width - chartArea.right - 8);
        if (bar.x - chartArea.left < 48) continue;
        ctx.fillStyle = '#ffffff';
        ctx.font = `600 11px ${family}`;
        ctx.textAlign = 'left';
        ctx.fillText(note.within, chartArea.left + 10, bar.y);
      }
      ctx.restore();
    },
  };
}

/** A long label in lines. */
function wrapped(label: string): string[] {
  const lines: string[] = [];
  for (const word of label.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < 13) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word.length > 16 ? `${word.slice(0, 15)}…` : word);
  }
  return lines;
}
