import Button from '@mui/material/Button';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useState } from 'react';
import { Icon } from '../../../src/app/icons/Icon';

interface PickerProps {
  /** What is chosen, in words: begins the button's name. */
  label: string;
  /** Stands before what is chosen. */
  prefix?: string;
  options: readonly { id: number; name: string }[];
  value: number | undefined;
  onChange: (id: number) => void;
}

/** A quiet choice of one of a few, in the head of the preview. */
export function Picker({ label, prefix = '', options, value, onChange }: PickerProps) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const chosen = options.find(({ id }) => id === value);
  return (
    <>
      <Button
        variant="text"
        size="small"
        className="preview-picker"
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        aria-label={`${label} ${chosen?.name ?? ''}`}
        endIcon={<Icon name="chevron-down" size={14} />}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <span>
          {prefix}
          {chosen?.name ?? '…'}
        </span>
      </Button>
      <Menu open={anchor !== null} anchorEl={anchor} onClose={() => setAnchor(null)} className="below">
        {options.map(({ id, name }) => (
          <MenuItem
            key={id}
            role="menuitemradio"
            aria-checked={id === value}
            selected={id === value}
            onClick={() => {
              setAnchor(null);
              onChange(id);
            }}
          >
            {name}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}
