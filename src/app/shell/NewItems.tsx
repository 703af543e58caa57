import Divider from '@mui/material/Divider';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import type { KeyboardEvent } from 'react';
import { Link } from 'react-router-dom';
import { latinLetter } from '../commands/keys';
import { useDefinitions } from '../data/DefinitionsContext';
import { canOpenImports, importsKey } from '../data/importAccess';
import { Icon } from '../icons/Icon';
import { inSentence, type MenuDefinition } from './menu';
import * as styles from './shell.module.css';

interface NewItemsProps {
  /** The definitions whose records can be added. */
  kinds: readonly MenuDefinition[];
  anchor: () => HTMLElement | null;
  onChoose: (definition: MenuDefinition) => void;
  onClose: () => void;
}

/** The menu of records that can be added; their keys choose too. */
export default function NewItems({ kinds, anchor, onChoose, onClose }: NewItemsProps) {
  const definitions = useDefinitions();
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const kind = kinds.find(({ menu }) => menu.key === latinLetter(event.nativeEvent));
    if (!kind) return;
    event.preventDefault();
    event.stopPropagation();
    onChoose(kind);
  };
  return (
    <Menu
      open
      anchorEl={anchor}
      onClose={onClose}
      disablePortal
      anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
      transformOrigin={{ vertical: -6, horizontal: 'right' }}
      slotProps={{ list: { 'aria-label': 'New', onKeyDownCapture: onKeyDown, sx: { width: 236 } } }}
    >
      {kinds.map((definition) => (
        <MenuItem key={definition.name} onClick={() => onChoose(definition)}>
          <Icon name={definition.menu.icon} />
          <span className={styles.sideLabel}>{inSentence(definition.labels.one)}</span>
          <kbd aria-hidden="true">{definition.menu.key?.toUpperCase()}</kbd>
        </MenuItem>
      ))}
      {canOpenImports(definitions) && <Divider component="li" aria-hidden="true" />}
      {canOpenImports(definitions) && (
        <MenuItem component={Link} to={`/${importsKey}`} onClick={onClose}>
          <Icon name="upload" />
          Import from a file…
        </MenuItem>
      )}
    </Menu>
  );
}
