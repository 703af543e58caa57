import { formatJson } from '../../../engine/studio/format-source';
import { lazyComponent, LoadingFallback } from '../../states/lazyComponent';
import { Hint } from '../properties/Hint';
import { useDraftValue } from '../properties/useDraftValue';
import { LiveResult } from './LiveResult';
import * as styles from '../properties/properties.module.css';

const ExpressionEditor = lazyComponent(() => import('./ExpressionEditor'));

const help =
  'An object with one function and what it takes, such as {"$multiply": ["$record.price", 1.19]}. Fields and functions are offered while you type.';

/** The expression that a field, or a column of `rows`, is computed with; of a field also what it gives for a stored record. */
export function ExpressionProperty({ pointer, name, rows }: { pointer: string; name: string; rows?: string }) {
  const { value } = useDraftValue(pointer);
  return (
    <div className={styles.studioGroup} role="group" aria-label="Expression">
      <div className={styles.studioLabel}>
        <span>Expression</span>
        <Hint text={help} />
      </div>
      <LoadingFallback fallback={<pre className={styles.studioCode}>{formatJson(value)}</pre>}>
        <ExpressionEditor key={pointer} {...{ pointer, name, rows }} label="Expression" />
      </LoadingFallback>
      {rows === undefined && <LiveResult name={name} />}
    </div>
  );
}
