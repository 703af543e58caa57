import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { usePopup } from '../../dialogs/usePopup';
import { Icon } from '../../icons/Icon';
import type { ComparedSide } from './sides';
import * as styles from './versions.module.css';

interface SideHeaderProps {
  /** `Older` or `Newer`. */
  label: string;
  side: ComparedSide;
  sides: readonly ComparedSide[];
  /** The number of changed lines, such as `2 lines removed`. */
  count: string;
  tone: 'urgent' | 'low';
  onPick: (side: ComparedSide) => void;
}

/** The head of a compared text: its version, with a menu to choose another. */
export function SideHeader({ label, side, sides, count, tone, onPick }: SideHeaderProps) {
  const menu = usePopup('menu');
  return (
    <header className={styles.compareHead}>
      <button type="button" aria-label={`${label}: ${side.title}`} {...menu.button}>
        {side.title}
        <Icon name="chevron-down" size={14} />
      </button>
      <small>{side.author}</small>
      <small className={styles.compareCount} data-tone={tone}>
        {count}
      </small>
      <Menu {...menu.popup}>
        {sides.map((candidate) => (
          <MenuItem key={candidate.key} selected={candidate === side} onClick={menu.and(() => onPick(candidate))}>
            {candidate.title}
          </MenuItem>
        ))}
      </Menu>
    </header>
  );
}
