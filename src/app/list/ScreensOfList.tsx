import Button from '@mui/material/Button';
import { useNavigate } from 'react-router-dom';
import { labelForMany, mayOpenScreen, screenPath, takesRecords } from '../../engine/lists/row-actions';
import { filterWithFixed } from '../../engine/lists/tabs';
import { recordsState } from '../actions/screenRecords';
import { useCommands } from '../commands/commands';
import { useDefinitions } from '../data/DefinitionsContext';
import { Icon } from '../icons/Icon';
import { useResourceList } from './ResourceList';
import * as styles from './toolbar.module.css';

/** Buttons of the actions that open a screen for any number of records: here for all that the filtered list has. */
export function ScreensOfList() {
  const { definition, state, fixedValues, total = 0 } = useResourceList();
  const { actor } = useDefinitions();
  const navigate = useNavigate();
  const screens = definition.list.actions
    .filter((action) => takesRecords(action) && mayOpenScreen(action, actor) && total > 0)
    .map((action) => ({
      action,
      label: labelForMany(action, total),
      open: () => void navigate(screenPath(action, {}), recordsState({ filter: filterWithFixed(state, fixedValues) })),
    }));
  useCommands(() =>
    screens.map(({ action: { name, icon }, label, open }) => ({ id: `list ${name}`, label, icon, run: open })),
  );
  return screens.map(({ action: { name, icon }, label, open }) => (
    <Button
      key={name}
      variant="text"
      className={styles.filterClear}
      startIcon={<Icon name={icon} size={14} />}
      onClick={open}
    >
      {label}
    </Button>
  ));
}
