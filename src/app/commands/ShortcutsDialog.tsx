import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import { useState } from 'react';
import { type Command, areSingleKeysOn, switchSingleKeys } from './commands';
import * as styles from './commands.module.css';

interface Shortcut {
  readonly keys: string;
  readonly label: string;
}

/** The keys that work everywhere, besides the commands of screens. */
const general: readonly Shortcut[] = [
  { keys: 'Ctrl+K', label: 'Find records, actions and places' },
  { keys: '?', label: 'Show these shortcuts' },
  { keys: 'Ctrl+S', label: 'Save a form' },
  { keys: 'Ctrl+Enter', label: 'Save a form or send a comment' },
  { keys: 'Esc', label: 'Close a dialog or menu' },
];

/** All shortcuts of the screen below, and a switch for those of a single key. */
export function ShortcutsDialog({ commands, onClose }: { commands: readonly Command[]; onClose: () => void }) {
  const [singleKeys, setSingleKeys] = useState(areSingleKeysOn);
  // Of two commands with the same keys, the first has them.
  const listedKeys = new Set(general.map(({ keys }) => keys));
  const screenShortcuts = commands.flatMap(({ keys, label, isRefused }) => {
    if (!keys || isRefused || listedKeys.has(keys)) return [];
    listedKeys.add(keys);
    return [{ keys, label }];
  });
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="xs" aria-labelledby="shortcuts-title">
      <DialogTitle id="shortcuts-title">Keyboard shortcuts</DialogTitle>
      <DialogContent className={styles.shortcuts}>
        {screenShortcuts.length > 0 && <Shortcuts title="On this screen" shortcuts={screenShortcuts} />}
        <Shortcuts title="Everywhere" shortcuts={general} />
        <FormControlLabel
          control={
            <Switch
              checked={singleKeys}
              onChange={(_event, isOn) => {
                setSingleKeys(isOn);
                switchSingleKeys(isOn);
              }}
            />
          }
          label="Shortcuts of a single key"
        />
      </DialogContent>
      <DialogActions>
        <Button variant="contained" autoFocus onClick={onClose}>
          Close
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function Shortcuts({ title, shortcuts }: { title: string; shortcuts: readonly Shortcut[] }) {
  return (
    <>
      <h3>{title}</h3>
      <dl>
        {shortcuts.map(({ keys, label }) => (
          <div key={keys} className={styles.shortcut}>
            <dt>{label}</dt>
            <dd>
              {keys.split(/[+ ]/).map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}
