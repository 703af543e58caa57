import Popover from '@mui/material/Popover';
import { useState } from 'react';
import { IconGrid } from '../../../fields/icon/IconGrid';
import { Icon } from '../../../icons/Icon';
import * as styles from '../../../fields/fields.module.css';

/** A button with the menu entry's icon, which opens a grid of all icons. */
export function IconChoice({ id, icon, onPick }: { id: string; icon: string; onPick: (icon: string) => void }) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  return (
    <>
      <button
        type="button"
        id={id}
        className={styles.iconBox}
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        aria-label={`Icon: ${icon}`}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <Icon name={icon} />
        <span>{icon}</span>
        <Icon name="chevron-down" />
      </button>
      <Popover
        open={anchor !== null}
        anchorEl={anchor}
        onClose={() => setAnchor(null)}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
        slotProps={{ paper: { role: 'dialog', 'aria-label': 'Icon', className: styles.iconPaper } }}
      >
        <IconGrid
          value={icon}
          onPick={(name) => {
            setAnchor(null);
            onPick(name ?? 'package');
          }}
        />
      </Popover>
    </>
  );
}
