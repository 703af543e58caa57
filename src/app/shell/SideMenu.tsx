import IconButton from '@mui/material/IconButton';
import { memo, useEffect, useRef, type ComponentType } from 'react';
import { Link } from 'react-router-dom';
import { Logo } from '../brand/Logo';
import { productTitle } from '../brand/productTitle';
import { Icon } from '../icons/Icon';
import { settingsPath, type MenuGroup, type MenuItem } from '../layout/menu';
import { lazyComponent } from '../states/lazyComponent';
import * as styles from './shell.module.css';

const FoldedHints = lazyComponent(() => import('./FoldedHints'));

export interface SwitcherProps {
  isFolded: boolean;
  /** Called after a record was chosen. */
  onChosen?: () => void;
}

export interface SideMenuProps {
  groups: MenuGroup[];
  /** The entry of the shown screen, of the menu or of the settings. */
  active?: MenuItem;
  /** Shows the entry of the settings; `isCurrent` while one of them is shown. */
  settings?: { isCurrent: boolean };
  /** Narrows lists to one record, above the entries. */
  switcher?: ComponentType<SwitcherProps>;
  /** Called after a record was chosen in the switcher. */
  onChosen?: () => void;
  /** The company's name, below the product's. */
  company?: string;
  /** Folded to icons. */
  isFolded?: boolean;
  /** Folds and unfolds the menu. Without it there is no such button, as in the drawer on phones. */
  onFold?: (folded: boolean) => void;
  /** Opens the command palette, where the bar has no button for it. */
  onJump?: () => void;
  /** Shows the keyboard shortcuts. */
  onHelp: () => void;
}

/** Milliseconds to wait for the first paint. */
const paintDelay = 100;

/** The side menu: entries in groups, the current one marked, icons only when folded; below them the settings and help. */
export const SideMenu = memo(function SideMenu(props: SideMenuProps) {
  const { groups, active, settings, switcher: Switcher, onChosen, isFolded = false, onJump, onHelp } = props;
  return (
    <nav className={styles.side} aria-label="Main" data-folded={isFolded || undefined}>
      {isFolded && <FoldedHints />}
      <Brand {...props} />
      {Switcher && <Switcher {...{ isFolded, onChosen }} />}
      <div className={styles.sideGroups}>
        {onJump && (
          <button type="button" className={styles.sideEntry} onClick={onJump}>
            <Icon name="search" />
            <span>Jump to…</span>
          </button>
        )}
        {groups.map(({ label, items }, index) => (
          <div key={label ?? index} className={styles.sideGroup}>
            {label !== undefined && !isFolded && (
              <h2 className={styles.sideHeading} aria-hidden="true">
                {label}
              </h2>
            )}
            <ul aria-label={label}>
              {items.map((item) => (
                <li key={item.to}>
                  <ItemLink item={item} active={item === active} isFolded={isFolded} />
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
      <div className={styles.sideFoot}>
        {settings && <ItemLink item={settingsItem} active={settings.isCurrent} isFolded={isFolded} />}
        {!isFolded && (
          <IconButton aria-label="Keyboard shortcuts" title="Keyboard shortcuts" onClick={onHelp}>
            <Icon name="help" />
          </IconButton>
        )}
      </div>
    </nav>
  );
});

const settingsItem: MenuItem = { to: settingsPath, label: 'Settings', icon: 'settings' };

/** The product and the company, with the button that folds the menu; folded, the mark unfolds it. */
function Brand({ company, isFolded = false, onFold }: SideMenuProps) {
  if (isFolded)
    return (
      <div className={styles.sideBrand}>
        <IconButton aria-label="Expand menu" title="Expand menu" onClick={() => onFold?.(false)}>
          <Logo size={26} />
        </IconButton>
      </div>
    );
  return (
    <div className={styles.sideBrand}>
      <Logo size={26} />
      <div>
        <b>{productTitle()}</b>
        {company && <small>{company}</small>}
      </div>
      {onFold && (
        <IconButton aria-label="Collapse menu" title="Collapse menu" onClick={() => onFold(true)}>
          <Icon name="panel" />
        </IconButton>
      )}
    </div>
  );
}

/** A link of the side menu or of the list of settings. */
export function ItemLink({ item, active, isFolded = false }: { item: MenuItem; active: boolean; isFolded?: boolean }) {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (!active) return;
    // After the paint: reading the entry's position forces a layout.
    const timer = setTimeout(() => link.current?.scrollIntoView?.({ block: 'nearest' }), paintDelay);
    return () => clearTimeout(timer);
  }, [active]);
  return (
    <Link ref={link} to={item.to} className={styles.sideEntry} aria-current={active ? 'page' : undefined}>
      <Icon name={item.icon} />
      <span className={isFolded ? 'unseen' : styles.sideLabel}>{item.label}</span>
      {item.mark && <> {item.mark}</>}
    </Link>
  );
}
