import { Icon } from '../../icons/Icon';
import { BoxMark } from '../../theme/marks';
import './permissions.css';

/** A legend of the tree's marks. */
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
        You don't have it
      </li>
    </ul>
  );
}
