import { memo, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { formatNumber } from '../../engine/formats/numbers';
import { requireValue } from '../../engine/values/lookups';
import { Logo } from '../brand/Logo';
import { productTitle } from '../brand/productTitle';
import { Icon } from '../icons/Icon';
import { AnchoredTooltip } from '../layout/AnchoredTooltip';
import { activeItem, type MenuGroup, type MenuItem } from '../layout/menu';
import { useRemembered } from '../preferences/useRemembered';
import * as styles from './shell.module.css';

export interface SideMenuProps {
  groups: MenuGroup[];
  /** The company's name, below the product's. */
  company?: string;
  /** Folded to icons. */
  isFolded?: boolean;
  /** Folds and unfolds the menu. Without it there is no such button, as in the drawer on phones. */
  onFold?: (folded: boolean) => void;
  /** Opens the command palette, where the bar has no button for it. */
  onJump?: () => void;
}

/** Milliseconds to wait for the first paint. */
const paintDelay = 100;
/** Milliseconds that the pointer rests on an entry before its name is shown. */
const hintDelay = 400;

/** The side menu: collapsible groups whose state is remembered, the current entry marked, icons only when folded. */
export const SideMenu = memo(function SideMenu({ groups, company, isFolded = false, onFold, onJump }: SideMenuProps) {
  const { pathname } = useLocation();
  const active = activeItem(groups, pathname);
  const [openGroups, setOpenGroups] = useRemembered<Record<string, boolean>>('assay.menu.opened', {});

  const isOpen = ({ label, collapsed, items }: MenuGroup) =>
    label === undefined || (openGroups[label] ?? (!collapsed || items.some((item) => item === active)));
  const toggle = (group: MenuGroup) => {
    // One without a label is always open.
    if (group.label === undefined) return;
    setOpenGroups({ ...openGroups, [group.label]: isFolded || !isOpen(group) });
    if (isFolded) onFold?.(false);
  };

  return (
    <nav className={styles.side} aria-label="Main" data-folded={isFolded || undefined}>
      {isFolded && <FoldedHints />}
      <div className={styles.sideBrand}>
        <Logo size={26} />
        {!isFolded && (
          <div>
            <b>{productTitle()}</b>
            {company && <small>{company}</small>}
          </div>
        )}
      </div>
      <div className={styles.sideGroups}>
        {onJump && (
          <button type="button" className={styles.sideEntry} onClick={onJump}>
            <Icon name="search" />
            <span>Jump to…</span>
          </button>
        )}
        {groups.map((group, index) => (
          <div key={group.label ?? index} className={styles.sideGroup}>
            {group.label !== undefined && (!isFolded || !isOpen(group)) && (
              <GroupButton group={group} open={isOpen(group)} isFolded={isFolded} onClick={() => toggle(group)} />
            )}
            {isOpen(group) && (
              <ul aria-label={group.label}>
                {group.items.map((item) => (
                  <li key={item.to}>
                    <ItemLink item={item} active={item === active} isFolded={isFolded} />
                  </li>
                ))}
              </ul>
            )}
          </div>
        ))}
      </div>
      {onFold && (
        <div className={styles.sideFoot}>
          <button type="button" className={styles.sideEntry} onClick={() => onFold(!isFolded)}>
            <Icon name="panel" />
            <span className={isFolded ? 'unseen' : undefined}>{isFolded ? 'Expand menu' : 'Collapse menu'}</span>
          </button>
        </div>
      )}
    </nav>
  );
});

function ItemLink({ item, active, isFolded }: { item: MenuItem; active: boolean; isFolded: boolean }) {
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
      {!isFolded && item.count !== undefined && item.count > 0 && <Count count={item.count} />}
    </Link>
  );
}

interface GroupButtonProps {
  group: MenuGroup;
  open: boolean;
  isFolded: boolean;
  onClick: () => void;
}

function GroupButton({ group, open, isFolded, onClick }: GroupButtonProps) {
  if (isFolded)
    return (
      <button type="button" className={styles.sideEntry} aria-expanded={open} onClick={onClick}>
        <Icon name={group.icon ?? 'database'} />
        <span className="unseen">{group.label}</span>
      </button>
    );
  return (
    <button type="button" className={styles.sideHeading} aria-expanded={open} onClick={onClick}>
      <span className={styles.sideLabel}>{group.label}</span>
      {!open && <Count count={group.items.length} />}
      <Icon name={open ? 'chevron-down' : 'chevron-right'} size={12} />
    </button>
  );
}

// The space keeps screen readers from joining number and word.
function Count({ count }: { count: number }) {
  return (
    <>
      {' '}
      <span className={styles.sideCount}>{formatNumber(count)}</span>
    </>
  );
}

/**
 * Shows the name of the folded entry under the pointer or focus: one tooltip for all, because one per entry is slow.
 */
function FoldedHints() {
  const mark = useRef<HTMLSpanElement>(null);
  const [entry, setEntry] = useState<Element | null>(null);
  useEffect(() => {
    const side = requireValue(mark.current?.parentElement, 'the side menu');
    let timer: ReturnType<typeof setTimeout>;
    const show = ({ type, target }: Event) => {
      const next = target instanceof Element ? target.closest(`.${styles.sideEntry}`) : null;
      clearTimeout(timer);
      if (!next || (type === 'focusin' && !next.matches(':focus-visible'))) return setEntry(null);
      timer = setTimeout(() => setEntry(next), type === 'focusin' ? 0 : hintDelay);
    };
    const hide = () => {
      clearTimeout(timer);
      setEntry(null);
    };
    const showEvents = ['mouseover', 'focusin'];
    const hideEvents = ['mouseleave', 'focusout', 'mousedown'];
    showEvents.forEach((name) => side.addEventListener(name, show));
    hideEvents.forEach((name) => side.addEventListener(name, hide));
    return () => {
      clearTimeout(timer);
      showEvents.forEach((name) => side.removeEventListener(name, show));
      hideEvents.forEach((name) => side.removeEventListener(name, hide));
    };
  }, []);
  return (
    <AnchoredTooltip
      target={entry}
      text={entry?.querySelector('.unseen')?.textContent ?? ''}
      placement="right"
      onClose={() => setEntry(null)}
    >
      <span ref={mark} className="unseen" />
    </AnchoredTooltip>
  );
}
