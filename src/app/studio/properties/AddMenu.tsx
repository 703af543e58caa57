import Button from '@mui/material/Button';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { usePopup } from '../../dialogs/usePopup';
import { Icon } from '../../icons/Icon';
import type { Option } from './ChoiceProperty';

/** A button with a menu of things to add. */
export function AddMenu({
  label,
  options,
  onAdd,
}: {
  label: string;
  options: readonly Option[];
  onAdd: (value: string) => void;
}) {
  const menu = usePopup('menu');
  if (options.length === 0) return null;
  return (
    <div>
      <Button size="small" variant="outlined" startIcon={<Icon name="plus" />} {...menu.button}>
        {label}
      </Button>
      <Menu {...menu.popup} slotProps={{ paper: { sx: { maxHeight: 320 } } }}>
        {options.map(({ value, label: name }) => (
          <MenuItem key={String(value)} onClick={menu.and(() => onAdd(String(value)))}>
            {name}
          </MenuItem>
        ))}
      </Menu>
    </div>
  );
}
