import { formatNumber } from '../../engine/formats/numbers';
import { mostCounted } from '../../engine/lists/menu-counts';
import * as styles from './shell.module.css';

/** How much waits at an entry of the menu. */
export function MenuCount({ count, label }: { count: number; label: string }) {
  return (
    <span className={styles.sideCount} title={label}>
      {count > mostCounted ? `${mostCounted}+` : formatNumber(count)} <span className="unseen">{label}</span>
    </span>
  );
}
