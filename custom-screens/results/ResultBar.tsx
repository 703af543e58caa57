import { formatNumber } from '../../src/engine/formats/numbers';
import { resultColours, resultNames, resultOrder, type ResultCounts } from './results';
import * as styles from './results.module.css';

interface ResultBarProps {
  counts: ResultCounts;
  /** 16, 8 or 6 pixels high. */
  size?: 'large' | 'normal' | 'small';
}

/** Results as parts of a bar: Passed, Failed, Blocked, Skipped, Not run, always in this order. */
export function ResultBar({ counts, size = 'normal' }: ResultBarProps) {
  const presentResults = resultOrder.filter((name) => counts[name] > 0);
  const words = presentResults.map((name) => `${formatNumber(counts[name])} ${resultNames[name].toLowerCase()}`);
  return (
    <span className={styles.resultBar} data-size={size} role="img" aria-label={words.join(', ') || 'No tests'}>
      {presentResults.map((name) => (
        <i key={name} style={{ flexGrow: counts[name], background: `var(--${resultColours[name]})` }} />
      ))}
    </span>
  );
}
