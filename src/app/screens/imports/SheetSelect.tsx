import { formatNumber } from '../../../engine/formats/numbers';
import { Icon } from '../../icons/Icon';
import type { SheetSummary } from './api';
import * as styles from './imports.module.css';

interface SheetSelectProps {
  sheets: readonly SheetSummary[];
  /** The sheet that is imported; null while it is unknown. */
  sheet: string | null;
  isBusy: boolean;
  onSheet: (sheet: string) => void;
}

/** A select for the workbook's sheet to import. */
export function SheetSelect({ sheets, sheet, isBusy, onSheet }: SheetSelectProps) {
  return (
    <div className={`${styles.importsField} ${styles.importsSheet}`}>
      <label className={styles.importsLabel} htmlFor="import-sheet">
        Sheet
      </label>
      <span className={styles.importsDrop}>
        <select
          id="import-sheet"
          value={sheet ?? ''}
          disabled={isBusy}
          onChange={(event) => onSheet(event.target.value)}
        >
          {sheet === null && <option value="">Choose a sheet</option>}
          {sheets.map(({ name, rows }) => (
            <option key={name} value={name}>
              {name} ({formatNumber(rows)} {rows === 1 ? 'row' : 'rows'})
            </option>
          ))}
        </select>
        <Icon name="chevron-down" />
      </span>
    </div>
  );
}
