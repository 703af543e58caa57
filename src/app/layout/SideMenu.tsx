import Tooltip from '@mui/material/Tooltip';
import { useEffect, useRef } from 'react';
import { Link, useLocation } from 'react-router';
import { formatNumber } from '../../engine/formats/numbers';
import { Logo } from '../brand/Logo';
import { productName } from '../brand/name';
import { Icon } from '../icons/Icon';
import { activeItem, type MenuGroup, type MenuItem } from './menu';
import { useRemembered } from '../preferences/useRemembered';

export interface SideMenuProps {
  groups: MenuGroup[];
  /** The company's name, below the product's. */
  company?: string;
  /** Folded to icons. */
  folded?: boolean;
  /** Folds and unfolds. Without it there is no such button: the drawer on phones has none. */
  onFold?: (folded: boolean) => void;
}

/** The side menu: groups that open and shut and stay that way, the current entry marked, icons alone when folded. */
export function SideMenu({ groups, company, folded = false, onFold }: SideMenuProps) {
  const { pathname } = useLocation();
  const active = activeItem(groups, pathname);
  const [opened, setOpened] = useRemembered<Record<string, boolean>>('assay.menu.opened', {});

  const isOpen = ({ label, collapsed, items }: MenuGroup) =>
    label === undefined || (opened[label] ?? (!collapsed || items.some((item) => item === active)));
  const toggle = (group: MenuGroup) => {
    setOpened({ ...opened, [group.label!]: folded || !isOpen(group) });
    if (folded) onFold?.(false);
  };

  return (
    <nav className="side" aria-label="Main" data-folded={folded || undefined}>
      <div className="side-brand">
        <Logo size={26} />
        {!folded && (
          <div>
            <b>{productName}</b>
            {company && <small>{company}</small>}
          </div>
        )}
      </div>
      <div className="side-groups">
        {groups.map((group, index) => (
          <div key={group.label ?? index} className="side-group">
            {group.label !== undefined && (!folded || !isOpen(group)) && (
              <GroupButton group={group} open={isOpen(group)} folded={folded} onClick={() => toggle(group)} />
            )}
            {isOpen(group) && (
              <ul aria-label={group.label}>
                {group.items.map((item) => (
                  <li key={item.to}>
                    <ItemLink item={item} active={item === active} folded={folded} />
                  </li>
                ))}
              </ul>
            )}
          </div>
        ))}
      </div>
      {onFold && (
        <div className="side-foot">
          <Hint text={folded ? 'Expand menu' : undefined}>
            <button type="button" className="side-entry" onClick={() => onFold(!folded)}>
              <Icon name="panel" />
              <span className={folded ? 'unseen' : undefined}>{folded ? 'Expand menu' : 'Collapse menu'}</span>
            </button>
          </Hint>
        </div>
      )}
    </nav>
  );
}

function ItemLink({ item, active, folded }: { item: MenuItem; active: boolean; folded: boolean }) {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (active) link.current?.scrollIntoView?.({ block: 'nearest' });
  }, [active]);
  return (
    <Hint text={folded ? item.label : undefined}>
      <Link ref={link} to={item.to} className="side-entry" aria-current={active ? 'page' : undefined}>
        <Icon name={item.icon} />
        <span className={folded ? 'unseen' : 'side-label'}>{item.label}</span>
        {!folded && item.count !== undefined && item.count > 0 && <Count of={item.count} />}
      </Link>
    </Hint>
  );
}

interface GroupButtonProps {
  group: MenuGroup;
  open: boolean;
  folded: boolean;
  onClick: () => void;
}

function GroupButton({ group, open, folded, onClick }: GroupButtonProps) {
  if (folded)
    return (
      <Hint text={group.label}>
        <button type="button" className="side-entry" aria-expanded={open} onClick={onClick}>
          <Icon name={group.icon ?? 'database'} />
          <span className="unseen">{group.label}</span>
        </button>
      </Hint>
    );
  return (
    <button type="button" className="side-heading" aria-expanded={open} onClick={onClick}>
      <span className="side-label">{group.label}</span>
      {!open && <Count of={group.items.length} />}
      <Icon name={open ? 'chevron-down' : 'chevron-right'} size={12} />
    </button>
  );
}

// The blank keeps a screen reader from running the number into the word.
function Count({ of }: { of: number }) {
  return (
    <>
      {' '}
      <span className="side-count">{formatNumber(of)}</span>
    </>
  );
}

function Hint({ text, children }: { text?: string; children: React.ReactElement }) {
  // An empty title switches the tooltip off and keeps the element, and with it the focus, in place.
  return (
    <Tooltip title={text ?? ''} placement="right">
      {children}
    </Tooltip>
  );
}
