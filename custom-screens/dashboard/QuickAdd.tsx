import Button from '@mui/material/Button';
import { Link } from 'react-router-dom';
import { decideAccess } from '../../src/engine/access/access-decision';
import { useDefinitions } from '../../src/app/data/DefinitionsContext';
import { useOpenDialog } from '../../src/app/dialogs/openDialog';
import { Icon } from '../../src/app/icons/Icon';

const addableResources = ['projects', 'test-cases', 'tasks', 'time-logs'];

/** A button for each resource that the actor may add records to: opens the form, as a page or as a dialog. */
export function QuickAdd() {
  const { registry, actor } = useDefinitions();
  const open = useOpenDialog();
  return addableResources.map((name) => {
    const definition = registry.get(name);
    if (!definition || !decideAccess(actor, definition, 'create').allowed) return null;
    const linkProps = definition.form.dialog
      ? { onClick: () => open({ kind: 'form', definition, mode: 'create' as const }) }
      : { component: Link, to: `/${name}/create` };
    return (
      <Button
        key={name}
        {...linkProps}
        variant="outlined"
        startIcon={<Icon name="plus" />}
        title={definition.titles.add}
      >
        {definition.labels.one}
      </Button>
    );
  });
}
