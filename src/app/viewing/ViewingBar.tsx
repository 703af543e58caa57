import Button from '@mui/material/Button';
import { productTitle } from '../brand/productTitle';
import { Icon } from '../icons/Icon';
import type { Viewing } from '../session/viewedUser';
import * as styles from './viewing.module.css';

interface ViewingBarProps {
  viewState: Viewing;
  onAnother: () => void;
  onStop: () => void;
}

/** The bar above everything that says whom the program is viewed as, and that nothing can be saved. */
export function ViewingBar({ viewState: { as: viewAs, name, role, level }, onAnother, onStop }: ViewingBarProps) {
  const isRole = viewAs.startsWith('role');
  return (
    <div className={styles.viewing} role="status">
      <Icon name="eye" />
      <p>
        You see {productTitle()} as <b>{name}</b>
        {isRole ? '' : `, ${role}`}, level {level}. Read only: nothing can be saved.
      </p>
      <Button variant="outlined" startIcon={<Icon name="user" />} aria-haspopup="dialog" onClick={onAnother}>
        <span>Another person</span>
      </Button>
      <Button variant="outlined" startIcon={<Icon name="close" />} onClick={onStop}>
        <span>Stop viewing</span>
      </Button>
    </div>
  );
}
