import IconButton from '@mui/material/IconButton';
import { useEffect, useRef, type ReactNode } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { formatNumber } from '../../engine/formats/numbers';
import { Logo } from '../brand/Logo';
import { productTitle } from '../brand/productTitle';
import { Icon } from '../icons/Icon';
import { tabTitle, useBar, type Page } from '../layout/page';
import { announce } from '../layout/announce';
import { activeItem, settingsPath, type MenuItem } from '../layout/menu';
import * as styles from './shell.module.css';
import Tooltip from '@mui/material/Tooltip';
import { useThemeChoice } from '../theme/themeChoice';

export interface TopBarProps {
  /** Opens the menu on phones. Without it the product's logo is shown instead. */
  onMenu?: () => void;
  onJump?: () => void;
  /** The company's name, beside the mark. */
  company?: string;
  /** The entry whose screens are shown as tabs. */
  tabbedEntry?: MenuItem;
  /** Leads back to the list of settings on phones, where it is a page. */
  isSetting?: boolean;
  /** The button that adds records, before those that every screen has. */
  newButton?: ReactNode;
  /** Shown at the right end: notifications, profile menu. */
  children: ReactNode;
}

/** The bar above the content: title, the screen's buttons, and the buttons that every screen has. */
export function TopBar({ onMenu, onJump, company, tabbedEntry, isSetting, newButton, children }: TopBarProps) {
  const { page, setSlot } = useBar();
  useRouteAnnouncement(page);
  const Heading = page?.covered ? 'p' : 'h1';
  const back = page?.back ?? (isSetting ? { to: settingsPath, label: 'Settings' } : undefined);
  return (
    <header
      className={styles.bar}
      data-flat={page?.flat || undefined}
      data-note-below={page?.isNoteBelow || undefined}
      data-tabs={tabbedEntry !== undefined || undefined}
      data-record={page?.record !== undefined || undefined}
    >
      {onMenu ? (
        <IconButton className={styles.barMenu} aria-label="Menu" onClick={onMenu}>
          <Icon name="menu" size={18} />
        </IconButton>
      ) : (
        <span className={styles.barBrand}>
          <Logo size={26} />
          <b>{productTitle()}</b>
          {company && <small>{company}</small>}
        </span>
      )}
      {back && (
        <nav className={styles.barCrumb} aria-label="Breadcrumb" data-settings={!page?.back || undefined}>
          <Link to={back.to} aria-label={`Back to ${back.label}`}>
            <Icon name="chevron-left" size={18} />
            <span>{back.label}</span>
          </Link>
          <span aria-hidden="true">/</span>
        </nav>
      )}
      {page ? (
        // Under a form the heading is the form's.
        <Heading className={styles.barTitle}>
          <Title title={page.title} total={page.total} note={page.note} />
        </Heading>
      ) : (
        // Not an empty heading: the screen is still loading.
        <span className={styles.barUntitled} />
      )}
      {tabbedEntry && <PlaceTabs entry={tabbedEntry} />}
      <div className={styles.barActions}>
        {page?.actions}
        <div className={styles.barSlot} ref={setSlot} />
      </div>
      {onJump && (
        <button type="button" className={styles.barJump} aria-keyshortcuts="Control+K" onClick={onJump}>
          <Icon name="search" />
          <span>Jump to…</span>
          <kbd>Ctrl K</kbd>
        </button>
      )}
      {newButton}
      <ThemeToggle />
      {children}
    </header>
  );
}

/** The screens that share an entry of the menu. */
function PlaceTabs({ entry }: { entry: MenuItem }) {
  const { pathname } = useLocation();
  const current = activeItem([{ items: entry.tabs ?? [] }], pathname);
  return (
    <nav className={styles.barTabs} aria-label={entry.label}>
      {entry.tabs?.map((tab) => (
        <Link key={tab.to} to={tab.to} aria-current={tab === current ? 'page' : undefined}>
          {tab.label}
        </Link>
      ))}
    </nav>
  );
}

/** How long a screen may take to set its title and its focus, in milliseconds. */
const settling = 150;

/**
 * Announces the title of each screen that is navigated to, once. Where the focus was lost with the former screen, the content
 * gets it, so that the next key continues there.
 */
function useRouteAnnouncement(page: Page | null): void {
  const { pathname } = useLocation();
  const announced = useRef(pathname);
  const title = page && !page.covered ? tabTitle(page) : null;
  useEffect(() => {
    if (title === null || announced.current === pathname) return;
    const timer = setTimeout(() => {
      announced.current = pathname;
      announce(title);
      if (document.activeElement === document.body) document.getElementById('content')?.focus({ preventScroll: true });
    }, settling);
    return () => clearTimeout(timer);
  }, [pathname, title]);
}

function Title({ title, total, note }: { title: string; total?: number; note?: string }) {
  const [name, ...rest] = title.split(' | ');
  const muted = [...rest, ...(total === undefined ? [] : [`Total Records: ${formatNumber(total)}`])];
  return (
    <>
      <span>{name}</span>
      {muted.map((text) => (
        <span key={text} className={`${styles.barMuted} num`}>
          {' | '}
          {text}
        </span>
      ))}
      {note && <span className={styles.barMuted}> {note}</span>}
    </>
  );
}

/** Switches between light and dark with one click. The profile menu also offers to follow the system. */
function ThemeToggle() {
  const { scheme, choose } = useThemeChoice();
  const otherScheme = scheme === 'dark' ? 'light' : 'dark';
  return (
    <Tooltip title={`Switch to ${otherScheme}`}>
      <IconButton
        className={styles.barTheme}
        aria-label={`Switch to ${otherScheme} theme`}
        onClick={() => choose(otherScheme)}
      >
        <Icon name={otherScheme === 'dark' ? 'moon' : 'sun'} size={18} />
      </IconButton>
    </Tooltip>
  );
}
