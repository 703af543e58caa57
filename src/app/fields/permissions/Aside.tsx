import { Icon } from '../../icons/Icon';
import { BoxMark } from '../../theme/marks';
import './permissions.css';

/** What the marks of the tree mean. */
export function Aside() {
  return (
    <ul className="grant-tree-legend">
      <li>
        <span className="grant-tree-changed">
          <BoxMark state="on" />
        </span>
        Changed, not saved
      </li>
      <li>
        <span className="grant-tree-denied">
          <Icon name="lock" size={10} />
        </span>
        You do not hold it
      </li>
    </ul>
  );
}
