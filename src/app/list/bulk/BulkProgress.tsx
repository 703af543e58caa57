import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import LinearProgress from '@mui/material/LinearProgress';
import { formatNumber } from '../../../engine/formats/numbers';
import type { Definition } from '../../../engine/definitions/definition';
import { recordTitle } from '../../../engine/lists/row-actions';
import { offlineSaveMessage, retryNow } from '../../session/connection';
import { InitialFocusButton } from '../../dialogs/InitialFocusButton';
import type { BulkChange, BulkResult } from './runBulk';
import * as styles from './bulk.module.css';

interface BulkProgressProps {
  definition: Definition;
  change: BulkChange;
  count: number;
  /** How many are processed. */
  processedCount: number;
  /** There is no connection; the rest waits for it. */
  isConnectionLost: boolean;
  /** Set when finished with failures or records left. */
  result: BulkResult | null;
  onStop: () => void;
  onClose: () => void;
}

/** Progress; at the end, what failed and why. */
export function BulkProgress({
  definition,
  change,
  count,
  processedCount,
  isConnectionLost,
  result,
  onStop,
  onClose,
}: BulkProgressProps) {
  const { one: singular, many: plural } = definition.labels;
  const words =
    change === 'delete' ? ['Deleting', 'deleted'] : change === 'copy' ? ['Copying', 'copied'] : ['Changing', 'changed'];
  const noun = (count === 1 ? singular : plural).toLowerCase();
  return (
    <Dialog open aria-labelledby="bulk-title" slotProps={{ paper: { sx: { width: 400 } } }}>
      <DialogContent>
        <h2 id="bulk-title" className={styles.bulkTitle}>
          {result
            ? `${formatNumber(result.doneCount)} of ${formatNumber(count)} ${noun} ${words[1]}`
            : `${words[0]} ${formatNumber(count)} ${noun}`}
        </h2>
        {result ? (
          <div className={styles.bulkFailures}>
            {result.left > 0 && <p>{formatNumber(result.left)} not processed, because you stopped.</p>}
            <ul>
              {result.failures.map(({ record, message }) => (
                <li key={record.id}>
                  <b>{recordTitle(definition, record)}</b>
                  <span>{message}</span>
                </li>
              ))}
            </ul>
          </div>
        ) : (
          <>
            <LinearProgress
              variant="determinate"
              value={count === 0 ? 100 : (processedCount / count) * 100}
              aria-label={words[0]}
            />
            <p className={`${styles.bulkCount} num`} role="status">
              {formatNumber(processedCount)} of {formatNumber(count)}
            </p>
            {isConnectionLost && (
              <p className={styles.bulkLost} role="alert">
                {offlineSaveMessage}
                <Button variant="text" onClick={retryNow}>
                  Try now
                </Button>
              </p>
            )}
          </>
        )}
      </DialogContent>
      <DialogActions>
        {result ? (
          <InitialFocusButton variant="contained" onClick={onClose}>
            Close
          </InitialFocusButton>
        ) : (
          <Button variant="outlined" onClick={onStop}>
            Stop
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
