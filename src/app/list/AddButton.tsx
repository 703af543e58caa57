import Button from '@mui/material/Button';
import { Link } from 'react-router';
import type { Definition } from '../../engine/definitions/definition';
import { Icon } from '../icons/Icon';
import { useAddRecord } from './useAddRecord';
import { useMayAdd } from './useMayAdd';
import * as styles from './list.module.css';

/** The list's primary button, for users who may add records. `short` shows only the icon. */
export function AddButton({ definition, short = false }: { definition: Definition; short?: boolean }) {
  const { to, onClick } = useAddRecord(definition);
  if (!useMayAdd(definition)) return null;
  const { add } = definition.titles;
  const way = to === undefined ? { onClick } : { component: Link, to, onClick };
  if (short)
    return (
      <Button {...way} variant="contained" aria-label={add} className={styles.listSquare}>
        <Icon name="plus" />
      </Button>
    );
  return (
    <Button {...way} variant="contained" startIcon={<Icon name="plus" />}>
      {add}
    </Button>
  );
}
