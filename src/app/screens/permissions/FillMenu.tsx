import Divider from '@mui/material/Divider';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useNavigate } from 'react-router-dom';
import type { Role } from './api';
import { fillings, type Filling } from './changes';

/** The row or the column whose menu is open. */
export interface FillTarget {
  readonly anchor: HTMLElement;
  /** A row: its module; a column: its role. */
  readonly module?: string;
  readonly role?: Role;
}

interface FillMenuProps {
  target: FillTarget | null;
  onFill: (target: FillTarget, filling: Filling) => void;
  onClose: () => void;
}

/** A menu that sets a whole row or column at once, and opens the role's form. */
export function FillMenu({ target, onFill, onClose }: FillMenuProps) {
  const navigate = useNavigate();
  const role = target?.role;
  const mayFill = target !== null && (role === undefined || role.fixed === null);
  return (
    <Menu open={target !== null} anchorEl={target?.anchor ?? null} onClose={onClose}>
      {mayFill &&
        fillings.map((preset) => (
          <MenuItem
            key={preset}
            onClick={() => {
              onClose();
              onFill(target, preset);
            }}
          >
            {preset}
          </MenuItem>
        ))}
      {mayFill && role && <Divider component="li" aria-hidden="true" />}
      {role && <MenuItem onClick={() => void navigate(`/roles/${role.role_id}`)}>Open role</MenuItem>}
    </Menu>
  );
}
