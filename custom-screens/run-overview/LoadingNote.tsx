import { Row } from '../../src/app/layout/Row';
import { formatNumber } from '../../src/engine/formats/numbers';
import { Icon } from '../../src/app/icons/Icon';
import type { LoadingPart } from '../../src/product/answers/loading-parts';
import * as styles from './run-overview.module.css';

/** Says which parts of a run are not stored entirely, so that nobody takes the figures for those of all. */
export function LoadingNote({ parts }: { parts: readonly LoadingPart[] }) {
  if (parts.length === 0) return null;
  return (
    <ul className={styles.loading} role="status">
      {parts.map((part, index) => (
        <Row
          component="li"
          spacing={2}
          sx={{ minHeight: 24, overflowWrap: 'anywhere' }}
          key={index}
          data-interrupted={part.is_interrupted}
        >
          <Icon name={part.is_interrupted ? 'warning' : 'activity'} />
          <span>{describePart(part)}</span>
        </Row>
      ))}
    </ul>
  );
}

function describePart({ part, tests, stored: storedCount, is_interrupted }: LoadingPart): string {
  const name = part === null ? 'Results' : `Results of ${part}`;
  const count = `${formatNumber(storedCount)} of ${formatNumber(tests)} tests`;
  return is_interrupted
    ? `${name} are not complete: their upload was interrupted after ${count}. Send them again.`
    : `${name} are being loaded: ${count}.`;
}
