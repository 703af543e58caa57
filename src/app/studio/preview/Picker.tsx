import Button from '@mui/material/Button';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { usePopup } from '../../dialogs/usePopup';
import { Icon } from '../../icons/Icon';
import * as menuStyles from '../../list/menus.module.css';
import * as styles from './preview.module.css';

interface PickerProps {
  /** Start of the button's accessible name, before the chosen option. */
  label: string;
  /** Text before the chosen option. */
  prefix?: string;
  options: readonly { id: number; name: string }[];
  value: number | undefined;
  onChange: (id: number) => void;
}

/** A small select in the preview's header. */
export function Picker({ label, prefix = '', options, value, onChange }: PickerProps) {
  const menu = usePopup('menu');
  const currentOption = options.find(({ id }) => id === value);
  return (
    <>
      <Button
        variant="text"
        size="small"
        className={styles.previewPicker}
        {...menu.button}
        aria-label={`${label} ${currentOption?.name ?? ''}`}
        endIcon={<Icon name="chevron-down" size={14} />}
      >
        <span>
          {prefix}
          {currentOption?.name ?? '…'}
        </span>
      </Button>
      <Menu {...menu.popup} className={menuStyles.below}>
        {options.map(({ id, name }) => (
          <MenuItem
            key={id}
            role="menuitemradio"
            aria-checked={id === value}
            selected={id === value}
            onClick={menu.and(() => onChange(id))}
          >
            {name}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}
