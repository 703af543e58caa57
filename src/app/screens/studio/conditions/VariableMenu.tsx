import IconButton from '@mui/material/IconButton';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useState } from 'react';
import { variablesFor } from '../../../../engine/studio/condition-operators';
import { Icon } from '../../../icons/Icon';
import type { ConditionValueProps } from './conditionValueProps';

/** A menu of variables to compare with, such as today or the signed-in user, instead of a fixed value. */
export function VariableMenu({ field, label, onChange, variables: given }: ConditionValueProps) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const variables = given ?? variablesFor(field.type ?? 'text', field.to);
  if (variables.length === 0) return null;
  return (
    <>
      <IconButton
        size="small"
        aria-label={`${label}: variable`}
        title="Use a variable"
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <Icon name="clock" size={14} />
      </IconButton>
      <Menu open={anchor !== null} anchorEl={anchor} onClose={() => setAnchor(null)}>
        {variables.map(({ value, words }) => (
          <MenuItem
            key={words}
            onClick={() => {
              setAnchor(null);
              onChange(value);
            }}
          >
            {words}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}
