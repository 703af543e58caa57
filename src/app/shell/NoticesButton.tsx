import Badge from '@mui/material/Badge';
import IconButton from '@mui/material/IconButton';
import Popover from '@mui/material/Popover';
import { usePopup } from '../dialogs/usePopup';
import { Icon } from '../icons/Icon';
import { lazyComponent } from '../states/lazyComponent';
import type { Notice, NoticesPanelProps } from './NoticesPanel';
import * as styles from './shell.module.css';

const NoticesPanel = lazyComponent(() => import('./NoticesPanel').then((part) => ({ default: part.NoticesPanel })));

export interface NoticesButtonProps extends Omit<NoticesPanelProps, 'onSeeAll'> {
  unread: number;
}

/** The bell: the number of unread notifications, and a list of the latest. */
export function NoticesButton({ notices, unread, allPath, onOpen }: NoticesButtonProps) {
  const popover = usePopup('dialog');
  const open = (notice: Notice) => {
    popover.close();
    onOpen(notice);
  };
  return (
    <>
      <IconButton aria-label={unread > 0 ? `Notifications, ${unread} unread` : 'Notifications'} {...popover.button}>
        <Badge badgeContent={unread} max={99} color="error" overlap="circular" className={styles.noticesBadge}>
          <Icon name="bell" size={18} />
        </Badge>
      </IconButton>
      <Popover
        {...popover.popup}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
        transformOrigin={{ vertical: -6, horizontal: 'right' }}
        slotProps={{ paper: { className: styles.noticesPopover, role: 'dialog', 'aria-label': 'Notifications' } }}
      >
        <NoticesPanel notices={notices} allPath={allPath} onOpen={open} onSeeAll={popover.close} />
      </Popover>
    </>
  );
}
