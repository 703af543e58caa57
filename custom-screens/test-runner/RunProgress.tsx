import { Row } from '../../src/app/layout/Row';
import { formatNumber } from '../../src/engine/formats/numbers';
import { getOrThrow } from '../../src/engine/values/lookups';
import { resultFill } from '../results/results';
import { resultLabels, type Result } from './runnerApi';
import * as styles from './runner.module.css';

const order: readonly Result[] = ['passed', 'flaky', 'failed', 'broken', 'blocked', 'skipped', 'not_run'];

interface RunProgressProps {
  counts: ReadonlyMap<Result, number>;
  total: number;
}

/** How far a run is, as a bar of its results and as a number. */
export function RunProgress({ counts, total }: RunProgressProps) {
  const presentResults = order.filter((result) => (counts.get(result) ?? 0) > 0);
  const words = presentResults.map(
    (result) => `${formatNumber(getOrThrow(counts, result))} ${resultLabels[result].toLowerCase()}`,
  );
  return (
    <Row
      component="span"
      spacing={3}
      sx={{ display: 'inline-flex', color: 'var(--t2)', fontSize: 13, whiteSpace: 'nowrap' }}
    >
      <span className={styles.progressBar} role="img" aria-label={words.join(', ')} title={words.join(', ')}>
        {presentResults.map((result) => (
          <i
            key={result}
            style={{ flexGrow: counts.get(result), ...resultFill(result, result === 'skipped' ? 'control' : 'line-2') }}
          />
        ))}
      </span>
      <span className="num">
        {formatNumber(total - (counts.get('not_run') ?? 0))} of {formatNumber(total)}
      </span>
    </Row>
  );
}
