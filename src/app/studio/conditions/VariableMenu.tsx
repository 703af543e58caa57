import IconButton from '@mui/material/IconButton';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { variablesFor } from '../../../engine/studio/condition-operators';
import { usePopup } from '../../dialogs/usePopup';
import { Icon } from '../../icons/Icon';
import type { ConditionValueProps } from './conditionValueProps';

/** A menu of variables to compare with, such as today or the signed-in user, instead of a fixed value. */
export function VariableMenu({ field, label, onChange, variables: givenVariables }: ConditionValueProps) {
  const menu = usePopup('menu');
  const variables = givenVariables ?? variablesFor(field.type ?? 'text', field.to);
  if (variables.length === 0) return null;
  return (
    <>
      <IconButton size="small" aria-label={`${label}: variable`} title="Use a variable" {...menu.button}>
        <Icon name="clock" size={14} />
      </IconButton>
      <Menu {...menu.popup}>
        {variables.map(({ value, words }) => (
          <MenuItem key={words} onClick={menu.and(() => onChange(value))}>
            {words}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}
