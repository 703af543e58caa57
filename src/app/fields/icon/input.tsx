import Popover from '@mui/material/Popover';
import { usePopup } from '../../dialogs/usePopup';
import { Icon } from '../../icons/Icon';
import type { InputFacets, InputProps } from '../fieldType';
import { LockIcon } from '../TextBox';
import { IconGrid } from './IconGrid';
import * as styles from '../fields.module.css';

/** An icon of the program's set, picked from a grid. */
function Input({ id, field, value, onChange, readOnly, isLocked, invalid, describedBy, autoFocus }: InputProps) {
  const popover = usePopup('dialog');
  const name = typeof value === 'string' ? value : '';
  return (
    <>
      <button
        type="button"
        id={id}
        className={styles.iconBox}
        data-invalid={invalid || undefined}
        disabled={readOnly}
        autoFocus={autoFocus}
        aria-labelledby={`${id}-label ${id}`}
        aria-describedby={describedBy}
        {...popover.button}
      >
        {name && <Icon name={name} />}
        <span data-empty={name === '' || undefined}>{name || (readOnly ? 'No icon' : 'Choose an icon')}</span>
        {isLocked ? <LockIcon /> : <Icon name="chevron-down" />}
      </button>
      <Popover
        {...popover.popup}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
        slotProps={{ paper: { role: 'dialog', 'aria-label': field.label, className: styles.iconPaper } }}
      >
        <IconGrid
          value={name}
          onPick={(iconName) => {
            popover.close();
            onChange(iconName);
          }}
        />
      </Popover>
    </>
  );
}

export default { Input } satisfies InputFacets;
