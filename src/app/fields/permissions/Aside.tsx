import { Icon } from '../../icons/Icon';
import { BoxMark } from '../../theme/marks';
import * as styles from './permissions.module.css';

/** A legend of the tree's marks. */
export function Aside() {
  return (
    <ul className={styles.grantTreeLegend}>
      <li>
        <span className={styles.grantTreeChanged}>
          <BoxMark state="on" />
        </span>
        Changed, not saved
      </li>
      <li>
        <span className={styles.grantTreeDenied}>
          <Icon name="lock" size={10} />
        </span>
        You don't have it
      </li>
    </ul>
  );
}
