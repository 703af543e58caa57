import { useRef, useState } from 'react';
import { switcherDefinition } from '../../../engine/lists/list-scope';
import { useFrameCommands } from '../../commands/commands';
import { useDefinitions } from '../../data/DefinitionsContext';
import { Icon } from '../../icons/Icon';
import { useListScope } from '../../preferences/listScope';
import { lazyComponent } from '../../states/lazyComponent';
import type { SwitcherProps } from '../SideMenu';
import * as styles from '../shell.module.css';

const SwitcherPanel = lazyComponent(() => import('./SwitcherPanel'));
const ScopeCheck = lazyComponent(() => import('./ScopeCheck'));

/** The record to which all lists are narrowed, above the menu, and a panel that chooses another one. `p` opens it. */
export function Switcher({ isFolded, onChosen }: SwitcherProps) {
  const definition = switcherDefinition(useDefinitions().registry);
  const scope = useListScope();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const { one: noun = '', many: plural = '' } = definition?.labels ?? {};
  const title = scope?.title ?? `All ${plural.toLowerCase()}`;
  const open = () => setOpen(true);
  useFrameCommands(() => [
    { id: 'switch', label: `Switch ${noun.toLowerCase()}…`, icon: 'sort', keys: 'p', opensInput: true, run: open },
  ]);
  if (!definition) return null;
  return (
    <>
      <button
        ref={button}
        type="button"
        className={styles.sideSwitcher}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-label={`${noun}: ${title}`}
        title={isFolded ? `${noun}: ${title} (P)` : undefined}
        data-scoped={scope !== undefined || undefined}
        onClick={open}
      >
        {isFolded ? (
          scope ? (
            <b>{scope.short}</b>
          ) : (
            <Icon name="layers" size={18} />
          )
        ) : (
          <>
            <span>
              <small>{noun}</small>
              <b>{title}</b>
            </span>
            <Icon name="sort" size={14} />
          </>
        )}
      </button>
      {scope && <ScopeCheck definition={definition} />}
      {isOpen && (
        <SwitcherPanel {...{ definition, onChosen }} anchor={() => button.current} onClose={() => setOpen(false)} />
      )}
    </>
  );
}
