import Button from '@mui/material/Button';
import { Link } from 'react-router-dom';
import type { Definition } from '../../engine/definitions/definition';
import type { CameFrom } from '../navigation/cameFrom';
import { Icon } from '../icons/Icon';
import { useAddRecord } from './useAddRecord';
import { useMayAdd } from '../actions/useMayAdd';
import * as styles from './toolbar.module.css';

interface AddButtonProps {
  definition: Definition;
  /** Shows only the icon. */
  short?: boolean;
  /** Where the form leads back to; to the list if it is undefined. */
  cameFrom?: CameFrom;
}

/** The list's primary button, for users who may add records. */
export function AddButton({ definition, short = false, cameFrom }: AddButtonProps) {
  const { to: path, onClick } = useAddRecord(definition);
  if (!useMayAdd(definition)) return null;
  const { add } = definition.titles;
  const link = cameFrom ? { state: cameFrom } : { onClick };
  const buttonProps = path === undefined ? { onClick, onAuxClick: onClick } : { component: Link, to: path, ...link };
  if (short)
    return (
      <Button {...buttonProps} variant="contained" aria-label={add} className={styles.listSquare}>
        <Icon name="plus" />
      </Button>
    );
  return (
    <Button {...buttonProps} variant="contained" startIcon={<Icon name="plus" />}>
      {add}
    </Button>
  );
}
