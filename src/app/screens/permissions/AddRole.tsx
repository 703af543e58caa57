import Button from '@mui/material/Button';
import { useDefinitions } from '../../data/DefinitionsContext';
import { Icon } from '../../icons/Icon';
import { useAddRecord } from '../../list/useAddRecord';
import { useMayAdd } from '../../actions/useMayAdd';

/** A button that opens the form of a new role. */
export function AddRole() {
  const definition = useDefinitions().registry.getOrThrow('roles');
  const { run } = useAddRecord(definition);
  if (!useMayAdd(definition)) return null;
  return (
    <Button variant="outlined" startIcon={<Icon name="plus" />} onClick={run}>
      Add {definition.labels.one}
    </Button>
  );
}
