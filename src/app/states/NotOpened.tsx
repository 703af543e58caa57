import Button from '@mui/material/Button';
import { useLocation, useNavigate } from 'react-router-dom';
import { Icon } from '../icons/Icon';
import { usePage } from '../layout/page';
import EmptyPictureArt from './EmptyPictureArt';
import { StateActions, type StateActionsProps } from './StateActions';
import * as styles from './states.module.css';

/** In place of what cannot be loaded without a connection; without a title of a whole screen, of which there is no code. */
export default function NotOpened({ title, ...actions }: { title?: string } & StateActionsProps) {
  return (
    <div className={styles.state} role="alert">
      <EmptyPictureArt name="offline" />
      <h2>{title ?? 'This page was not opened before'}</h2>
      {title === undefined ? (
        <WayBack />
      ) : (
        <>
          <p>There is no connection. It is loaded when the connection is back; what you entered is kept.</p>
          <StateActions {...actions} />
        </>
      )}
    </div>
  );
}

/** The screen before is loaded; a page that the application was opened with has none. */
function WayBack() {
  const navigate = useNavigate();
  const { key } = useLocation();
  // Its key changes where another address replaced the first one.
  const isFirst = key === 'default' || (window.history.state as { idx?: number } | null)?.idx === 0;
  usePage({ title: 'No connection' });
  return (
    <>
      <p>It needs the connection once. It opens by itself when you are back online.</p>
      {isFirst ? (
        <StateActions link={{ to: '/', label: 'Home page' }} />
      ) : (
        <div className={styles.stateActions}>
          <Button variant="contained" startIcon={<Icon name="chevron-left" />} onClick={() => void navigate(-1)}>
            Back to the page before
          </Button>
        </div>
      )}
    </>
  );
}
