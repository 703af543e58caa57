import Button from '@mui/material/Button';
import { Link } from 'react-router';
import type { Definition } from '../../engine/definitions/definition';
import { Icon } from '../icons/Icon';
import { useMayAdd } from './useMayAdd';

/** The list's one primary button, for whoever may add. `short` shows the plus alone. */
export function AddButton({ definition, short = false }: { definition: Definition; short?: boolean }) {
  if (!useMayAdd(definition)) return null;
  const { add } = definition.titles;
  const to = `/${definition.name}/create`;
  if (short)
    return (
      <Button component={Link} to={to} variant="contained" aria-label={add} className="list-square">
        <Icon name="plus" />
      </Button>
    );
  return (
    <Button component={Link} to={to} variant="contained" startIcon={<Icon name="plus" />}>
      {add}
    </Button>
  );
}
