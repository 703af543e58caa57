import type { ActiveElement, ChartEvent, ChartOptions } from 'chart.js';
import { use } from 'react';
import { Doughnut as Ring } from 'react-chartjs-2';
import { formatNumber } from '../../engine/formats/numbers';
import { CanvasContext, ringCutout, ringDataset } from './canvas';
import { describeChart, type ChartData, tooltipStyle, useColours } from './chartData';
import './registerCharts';
import * as styles from './charts.module.css';

interface DoughnutProps {
  /** One series; its colour is one for each label. */
  data: ChartData;
  label: string;
  /** In CSS pixels. */
  height: number;
  /** The counted things, such as "open items". */
  word: string;
  format?: (value: number) => string;
  onPick?: (label: number) => void;
}

/** A doughnut with the total in its middle. */
export function Doughnut({ data, label, height, word, format = formatNumber, onPick }: DoughnutProps) {
  const colour = useColours();
  const canvas = use(CanvasContext);
  const total = (data.series[0]?.values ?? []).reduce((sum, value) => sum + value, 0);
  const options: ChartOptions<'doughnut'> = {
    cutout: ringCutout,
    layout: { padding: 4 },
    plugins: {
      legend: { display: false },
      tooltip: {
        ...tooltipStyle(colour),
        callbacks: { label: ({ dataset, raw }) => `${dataset.label}: ${format(raw as number)}` },
      },
    },
    onClick: onPick && ((_event: ChartEvent, [element]: ActiveElement[]) => element && onPick(element.index)),
  };
  return (
    <div className={styles.doughnut} style={{ height }}>
      <Ring
        ref={canvas as never}
        data={{
          labels: [...data.labels],
          datasets: [ringDataset(data, colour)],
        }}
        options={options}
        aria-label={`${label}. ${describeChart(data)}`}
        role="img"
      />
      <div className={styles.doughnutMiddle} aria-hidden="true">
        <b className="num">{format(total)}</b>
        <span>{word}</span>
      </div>
    </div>
  );
}
