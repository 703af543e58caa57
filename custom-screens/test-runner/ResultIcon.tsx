import { Icon } from '../../src/app/icons/Icon';
import type { IconName } from '../../src/app/icons/icons';
import { resultText } from '../results/results';
import { resultLabels, type Result } from './runnerApi';
import * as styles from './runner.module.css';

const icons: Readonly<Record<Result, IconName>> = {
  passed: 'check',
  failed: 'x',
  broken: 'warning',
  blocked: 'block',
  skipped: 'skip',
  flaky: 'activity',
  not_run: 'minus',
};

/** A result as a symbol in its colour. */
export function ResultIcon({ result }: { result: Result }) {
  return (
    <span className={styles.resultIcon} style={resultText(result)}>
      <Icon name={icons[result]} size={14} label={resultLabels[result]} />
    </span>
  );
}
