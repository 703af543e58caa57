import Button from '@mui/material/Button';
import { useNavigate } from 'react-router-dom';
import { Icon } from '../icons/Icon';
import { usePage } from '../layout/page';
import EmptyPictureArt from './EmptyPictureArt';
import * as styles from './states.module.css';

/** In place of a screen whose code cannot be loaded without a connection. The screen before it is loaded. */
export default function NotOpened() {
  const navigate = useNavigate();
  usePage({ title: 'No connection' });
  return (
    <div className={styles.state} role="status">
      <EmptyPictureArt name="offline" />
      <h2>This page was not opened before</h2>
      <p>It needs the connection once. It opens by itself when you are back online.</p>
      <div className={styles.stateActions}>
        <Button variant="contained" startIcon={<Icon name="chevron-left" />} onClick={() => void navigate(-1)}>
          Back to the page before
        </Button>
      </div>
    </div>
  );
}
