import Popover from '@mui/material/Popover';
import { usePopup } from '../../dialogs/usePopup';
import { IconGrid } from '../../fields/icon/IconGrid';
import { Icon } from '../../icons/Icon';
import * as styles from '../../fields/fields.module.css';

/** A button with the menu entry's icon, which opens a grid of all icons. */
export function IconChoice({ id, icon, onPick }: { id: string; icon: string; onPick: (icon: string) => void }) {
  const popover = usePopup('dialog');
  return (
    <>
      <button type="button" id={id} className={styles.iconBox} aria-label={`Icon: ${icon}`} {...popover.button}>
        <Icon name={icon} />
        <span>{icon}</span>
        <Icon name="chevron-down" />
      </button>
      <Popover
        {...popover.popup}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
        slotProps={{ paper: { role: 'dialog', 'aria-label': 'Icon', className: styles.iconPaper } }}
      >
        <IconGrid
          value={icon}
          onPick={(name) => {
            popover.close();
            onPick(name ?? 'package');
          }}
        />
      </Popover>
    </>
  );
}
