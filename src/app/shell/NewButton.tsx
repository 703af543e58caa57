import Button from '@mui/material/Button';
import { useRef, useState } from 'react';
import { useFrameCommands } from '../commands/commands';
import { useDefinitions } from '../data/DefinitionsContext';
import { Icon } from '../icons/Icon';
import { lazyComponent } from '../states/lazyComponent';
import { addableDefinitions, inSentence, type MenuDefinition } from './menu';
import { useAddAnywhere } from './useAddAnywhere';
import * as styles from './shell.module.css';

const NewItems = lazyComponent(() => import('./NewItems'));

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
      {isOpen && (
        <NewItems {...{ kinds, anchor: () => button.current }} onChoose={choose} onClose={() => setOpen(false)} />
      )}
    </>
  );
}
