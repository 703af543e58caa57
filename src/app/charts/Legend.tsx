import type { ChartSeries } from './chartData';
import * as styles from './charts.module.css';

interface LegendProps {
  series: readonly Pick<ChartSeries, 'key' | 'label' | 'colour'>[];
}

/** The legend of a chart's colours. */
export function Legend({ series }: LegendProps) {
  return (
    <ul className={styles.legend} aria-hidden="true">
      {series.map(({ key, label, colour }) => (
        <li key={key}>
          <i style={{ background: cssColour(typeof colour === 'string' ? colour : (colour[0] ?? 'control')) }} />
          {label}
        </li>
      ))}
    </ul>
  );
}

/** A chart colour as a CSS value. */
export function cssColour(colour: string): string {
  return colour.startsWith('#') ? colour : `var(--${colour})`;
}
