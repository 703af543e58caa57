import useMediaQuery from '@mui/material/useMediaQuery';
import { useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { currentCommands, useFrameCommands, type Command } from '../commands/commands';
import type { PaletteProps } from '../commands/palette';
import { forgetUndoable, lastUndoable } from '../commands/undo';
import { useCommandKeys } from '../commands/useCommandKeys';
import { useTypedAhead } from '../commands/useTypedAhead';
import { lazyComponent } from '../states/lazyComponent';
import { announcerId } from '../layout/announce';
import { ConnectionLostBar, useIsStale } from './ConnectionLostBar';
import { activeItem, SettingsContext, settingsPath, type Menu } from '../layout/menu';
import { NoticesButton, type NoticesButtonProps } from './NoticesButton';
import { PageProvider } from '../layout/page';
import type { ProfileMenuProps } from './ProfileItems';
import { ProfileMenu } from './ProfileMenu';
import { useRemembered } from '../preferences/useRemembered';
import { SideMenu, type SideMenuProps } from './SideMenu';
import { TopBar } from './TopBar';
import * as styles from './shell.module.css';

const ShortcutsDialog = lazyComponent(() =>
  import('../commands/ShortcutsDialog').then((module) => ({ default: module.ShortcutsDialog })),
);

const MenuDrawer = lazyComponent(() => import('./MenuDrawer'));
const SettingsMenu = lazyComponent(() => import('./SettingsMenu'));

/** The menu is folded in windows below this width until it is unfolded there. */
const tight = '(max-width: 1099.95px)';

export interface ShellProps extends ProfileMenuProps, Pick<SideMenuProps, 'switcher'> {
  menu: Menu;
  /** Opened by Ctrl+K. */
  palette: ComponentType<PaletteProps>;
  /** Shown above the whole frame. */
  banner?: ReactNode;
  /** The company's name. */
  company?: string;
  notices: NoticesButtonProps;
  /** The button in the bar that adds records of any kind. */
  newButton?: ReactNode;
  /** Shown in the bar, before the notifications. */
  tools?: ReactNode;
  /** The loading indicator. A separate element, because it changes often. */
  progress?: ReactNode;
  /** Hides the side menu, as the setup does. */
  menuHidden?: boolean;
  /** Starts with the side menu folded, independent of the remembered state, and without the list of settings: the screen needs the width. */
  menuFolded?: boolean;
  /** Whether the screen at the present path shows the tabs of its entry in the menu. */
  hasTabs?: boolean;
  /** The path to leave the settings by, if they were opened by their address. */
  homePath?: string;
  children: ReactNode;
}

/**
 * The frame of every screen after sign-in: side menu, bar, content. It loads nothing itself: all data comes in as
 * props.
 */
export function Shell({
  menu,
  palette: Palette,
  banner,
  company,
  notices,
  tools,
  newButton,
  switcher,
  progress,
  menuHidden = false,
  menuFolded = false,
  hasTabs = false,
  homePath = '/',
  children,
  ...profile
}: ShellProps) {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const isStale = useIsStale();
  const normalFolding = useRemembered('assay.menu.folded', false);
  const onWide = useRemembered('assay.menu.folded.wide', true);
  const active = activeItem([...menu.groups, ...menu.settings], pathname);
  const isSetting =
    pathname === settingsPath || menu.settings.some(({ items }) => items.some((item) => item === active));
  const isTight = useMediaQuery(tight, { noSsr: true });
  const [isFolded, setIsFolded] = menuFolded || isSetting || isTight ? onWide : normalFolding;
  const [lastPath, setLastPath] = useState(homePath);
  if (!isSetting && lastPath !== pathname + search) setLastPath(pathname + search);
  // The drawer belongs to the page it was opened on: navigating closes it. Null: not opened yet.
  const [drawerOn, setDrawerOn] = useState<string | null>(null);
  if (drawerOn && drawerOn !== pathname) setDrawerOn('');
  // Read as it opens: they depend on what has the focus then.
  const [jumping, setJumping] = useState<readonly Command[]>();
  const [helpCommands, setHelpCommands] = useState<readonly Command[]>();
  const showPalette = () => setJumping(currentCommands());
  const typedAhead = useTypedAhead(jumping !== undefined);
  const showHelp = () => setHelpCommands(currentCommands());
  useCommandKeys({ onPalette: showPalette, onHelp: showHelp }, !menuHidden);
  // Changes of one user are not for the next one to take back.
  useEffect(() => forgetUndoable, []);
  useFrameCommands(() => {
    const last = lastUndoable();
    return last ? [{ id: 'undo', label: `Undo: ${last.label}`, icon: 'undo', keys: 'Ctrl+Z', run: last.undo }] : [];
  });
  useFrameCommands(
    () => [
      {
        ...{ id: 'fold-menu', label: isFolded ? 'Expand menu' : 'Collapse menu', icon: 'panel', keys: '[' },
        run: () => setIsFolded(!isFolded),
      },
    ],
    !menuHidden,
  );
  useFrameCommands(
    () =>
      menu.groups
        .flatMap(({ items }) => items)
        .filter(({ key }) => key !== undefined)
        .map(({ tabs, ...item }) => tabs?.find((tab) => tab.key === item.key) ?? item)
        .map(({ to: path, label, icon, key }) => ({
          ...{ id: `go ${path}`, label: `Go to ${label}`, icon, keys: `g ${key}`, keysOnly: true },
          run: () => void navigate(path),
        })),
    !menuHidden,
  );
  const side = {
    ...{ groups: menu.groups, active, company, switcher, onHelp: showHelp },
    settings: menu.settings.length > 0 ? { isCurrent: isSetting } : undefined,
  };
  const helpCommand = { id: 'keys', label: 'Keyboard shortcuts', icon: 'help', keys: '?', run: showHelp };

  return (
    <PageProvider>
      <a className={styles.skip} href="#content">
        Skip to content
      </a>
      <div id={announcerId} className="unseen" aria-live="polite" />
      <div className={styles.frame}>
        {banner}
        <ConnectionLostBar />
        <div className={styles.shell}>
          {!menuHidden && (
            <>
              <div className={styles.shellSide}>
                <SideMenu {...side} isFolded={isFolded} onFold={setIsFolded} />
                {isSetting && !menuFolded && <SettingsMenu groups={menu.settings} active={active} back={lastPath} />}
              </div>
              {drawerOn !== null && (
                <MenuDrawer
                  {...side}
                  isOpen={drawerOn === pathname}
                  onClose={() => setDrawerOn('')}
                  onJump={() => {
                    setDrawerOn('');
                    showPalette();
                  }}
                />
              )}
              {jumping && (
                <Palette
                  groups={[...menu.groups, ...menu.settings]}
                  commands={[...jumping, helpCommand]}
                  typedAhead={typedAhead}
                  onClose={() => setJumping(undefined)}
                />
              )}
              {helpCommands && <ShortcutsDialog commands={helpCommands} onClose={() => setHelpCommands(undefined)} />}
            </>
          )}
          <div className={styles.shellMain}>
            <TopBar
              onMenu={menuHidden ? undefined : () => setDrawerOn(pathname)}
              onJump={menuHidden ? undefined : showPalette}
              company={company}
              tabbedEntry={hasTabs && active?.tabs ? active : undefined}
              isSetting={isSetting && pathname !== settingsPath}
              newButton={menuHidden ? undefined : newButton}
            >
              {tools}
              <NoticesButton {...notices} />
              <ProfileMenu {...profile} />
            </TopBar>
            {progress}
            <main id="content" tabIndex={-1} data-stale={isStale || undefined}>
              <SettingsContext value={menu.settings}>{children}</SettingsContext>
            </main>
          </div>
        </div>
      </div>
    </PageProvider>
  );
}
