import Button from '@mui/material/Button';
import Divider from '@mui/material/Divider';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useRef, useState, type KeyboardEvent } from 'react';
import { Link } from 'react-router-dom';
import { useFrameCommands } from '../commands/commands';
import { latinLetter } from '../commands/keys';
import { useDefinitions } from '../data/DefinitionsContext';
import { canOpenImports, importsKey } from '../data/importAccess';
import { Icon } from '../icons/Icon';
import { addableDefinitions, inSentence, type MenuDefinition } from './menu';
import { useAddAnywhere } from './useAddAnywhere';
import * as styles from './shell.module.css';

/**
 * The button in the bar of every screen that adds a record of any kind whose definition gives it a key. `c` opens its menu, `c` and
 * the key add at once.
 */
export default function NewButton() {
  const definitions = useDefinitions();
  const kinds = addableDefinitions(definitions);
  const add = useAddAnywhere();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  useFrameCommands(
    () => [
      { id: 'new', label: 'New…', icon: 'plus', keys: 'c', keysOnly: true, run: () => setOpen(true) },
      ...kinds.map((definition) => ({
        ...{ id: `new ${definition.name}`, label: `New ${inSentence(definition.labels.one)}`, icon: 'plus' },
        ...{ keys: `c ${definition.menu.key}`, keysOnly: true, opensInput: true },
        run: () => add(definition),
      })),
    ],
    kinds.length > 0,
  );
  if (kinds.length === 0) return null;
  const choose = (definition: MenuDefinition) => {
    setOpen(false);
    add(definition);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const kind = kinds.find(({ menu }) => menu.key === latinLetter(event.nativeEvent));
    if (!kind) return;
    event.preventDefault();
    event.stopPropagation();
    choose(kind);
  };
  return (
    <>
      <Button
        ref={button}
        className={styles.barNew}
        variant="outlined"
        startIcon={<Icon name="plus" />}
        aria-label="New"
        title="New, C"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(true)}
      >
        <span>New</span>
      </Button>
      <Menu
        open={isOpen}
        anchorEl={() => button.current}
        onClose={() => setOpen(false)}
        disablePortal
        anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
        transformOrigin={{ vertical: -6, horizontal: 'right' }}
        slotProps={{ list: { 'aria-label': 'New', onKeyDownCapture: onKeyDown, sx: { width: 236 } } }}
      >
        {kinds.map((definition) => (
          <MenuItem key={definition.name} onClick={() => choose(definition)}>
            <Icon name={definition.menu.icon} />
            <span className={styles.sideLabel}>{inSentence(definition.labels.one)}</span>
            <kbd aria-hidden="true">{definition.menu.key?.toUpperCase()}</kbd>
          </MenuItem>
        ))}
        {canOpenImports(definitions) && <Divider component="li" aria-hidden="true" />}
        {canOpenImports(definitions) && (
          <MenuItem component={Link} to={`/${importsKey}`} onClick={() => setOpen(false)}>
            <Icon name="upload" />
            Import from a file…
          </MenuItem>
        )}
      </Menu>
    </>
  );
}
