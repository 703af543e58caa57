import Divider from '@mui/material/Divider';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { Fragment, use, useState } from 'react';
import type { ResourceRecord, RowAction } from '../../engine/definitions/definition';
import { linkTo } from '../navigation/useOpenRecord';
import { Icon } from '../icons/Icon';
import { RowButton } from './RowButton';
import { ActionsContext } from '../actions/useActions';
import * as styles from './menus.module.css';

/** An action of a menu: one of the definition's, or with a function of its own. */
export interface MenuAction extends RowAction {
  /** The key that does it too. */
  keys?: string;
  run?: () => void;
}

interface ActionMenuProps {
  actions: readonly MenuAction[];
  record: ResourceRecord;
  /** The title of the record. */
  title: string;
  tabIndex?: number;
}

/** A record's actions in a menu; Delete comes last, separated and red. */
export function ActionMenu({ actions, record, title, tabIndex }: ActionMenuProps) {
  const { run, pathOf, blocker: findBlocker } = use(ActionsContext);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  // There are hundreds of these buttons: create the menu when it is first opened.
  const [wasOpened, setWasOpened] = useState(false);
  const orderedActions = [...actions].sort(
    (left, right) => Number(left.name === 'delete') - Number(right.name === 'delete'),
  );
  const start = (action: MenuAction) => {
    setAnchor(null);
    if (action.run) action.run();
    else run(action, record);
  };
  const linkProps = (action: MenuAction) => {
    const path = findBlocker(action, record) ? undefined : pathOf(action, record);
    return path === undefined ? {} : linkTo(path, () => start(action));
  };
  return (
    <>
      <RowButton
        title="More actions"
        aria-label={`More actions for ${title}`}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        tabIndex={tabIndex}
        onClick={(event) => {
          setAnchor(event.currentTarget);
          setWasOpened(true);
        }}
      >
        <Icon name="more" />
      </RowButton>
      {wasOpened && (
        <Menu
          open={anchor !== null}
          anchorEl={anchor}
          onClose={() => setAnchor(null)}
          anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
          transformOrigin={{ vertical: -2, horizontal: 'right' }}
          onKeyDown={(event) => event.stopPropagation()}
          onClick={(event) => {
            event.stopPropagation();
            // Also where the browser opens a new tab.
            if (event.target instanceof Element && event.target.closest('a')) setAnchor(null);
          }}
        >
          {orderedActions.map((action, index) => (
            <Fragment key={action.name}>
              {action.name === 'delete' && index > 0 && <Divider component="li" aria-hidden="true" />}
              <MenuItem
                className={action.name === 'delete' ? styles.menuDanger : undefined}
                onClick={() => start(action)}
                {...linkProps(action)}
              >
                <Icon name={action.icon} />
                <Labelled label={action.label} reason={findBlocker(action, record)?.message} />
                {action.keys && <kbd className={styles.menuKey}>{action.keys.toUpperCase()}</kbd>}
              </MenuItem>
            </Fragment>
          ))}
        </Menu>
      )}
    </>
  );
}

/** An action's label and, if it is blocked, why. */
function Labelled({ label, reason }: { label: string; reason: string | undefined }) {
  if (reason === undefined) return label;
  return (
    <span className={styles.menuHindered}>
      {label} <small>{reason}</small>
    </span>
  );
}
