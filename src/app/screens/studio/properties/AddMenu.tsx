import Button from '@mui/material/Button';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useState } from 'react';
import { Icon } from '../../../icons/Icon';
import type { Option } from './ChoiceProperty';

/** A button with a menu of things to add. */
export function AddMenu({
  label,
  ways,
  onAdd,
}: {
  label: string;
  ways: readonly Option[];
  onAdd: (value: string) => void;
}) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  if (ways.length === 0) return null;
  return (
    <div>
      <Button
        size="small"
        variant="outlined"
        startIcon={<Icon name="plus" />}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        {label}
      </Button>
      <Menu
        open={anchor !== null}
        anchorEl={anchor}
        onClose={() => setAnchor(null)}
        slotProps={{ paper: { sx: { maxHeight: 320 } } }}
      >
        {ways.map(({ value, label: name }) => (
          <MenuItem
            key={String(value)}
            onClick={() => {
              setAnchor(null);
              onAdd(String(value));
            }}
          >
            {name}
          </MenuItem>
        ))}
      </Menu>
    </div>
  );
}
