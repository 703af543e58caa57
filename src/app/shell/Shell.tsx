import Drawer from '@mui/material/Drawer';
import { useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { currentCommands, useCommands, type Command } from '../commands/commands';
import type { PaletteProps } from '../commands/palette';
import { forgetUndoable, lastUndoable } from '../commands/undo';
import { useCommandKeys } from '../commands/useCommandKeys';
import { useTypedAhead } from '../commands/useTypedAhead';
import { lazyComponent } from '../states/lazyComponent';
import { announcerId } from '../layout/announce';
import { ConnectionLostBar, useIsStale } from './ConnectionLostBar';
import type { MenuGroup } from '../layout/menu';
import { NoticesButton, type NoticesButtonProps } from './NoticesButton';
import { PageProvider } from '../layout/page';
import { ProfileMenu, type ProfileMenuProps } from './ProfileMenu';
import { useRemembered } from '../preferences/useRemembered';
import { SideMenu } from './SideMenu';
import { TopBar } from './TopBar';
import * as styles from './shell.module.css';

const ShortcutsDialog = lazyComponent(() =>
  import('../commands/ShortcutsDialog').then((module) => ({ default: module.ShortcutsDialog })),
);

export interface ShellProps extends ProfileMenuProps {
  menu: MenuGroup[];
  /** Opened by Ctrl+K. */
  palette: ComponentType<PaletteProps>;
  /** Shown above the whole frame. */
  banner?: ReactNode;
  /** The company's name. */
  company?: string;
  notices: NoticesButtonProps;
  /** Shown in the bar, before the notifications. */
  tools?: ReactNode;
  /** The loading indicator. A separate element, because it changes often. */
  progress?: ReactNode;
  /** Hides the side menu, as the setup does. */
  menuHidden?: boolean;
  /** Starts with the side menu folded, independent of the remembered state: the screen needs the width. */
  menuFolded?: boolean;
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
  progress,
  menuHidden = false,
  menuFolded = false,
  children,
  ...profile
}: ShellProps) {
  const { pathname } = useLocation();
  const isStale = useIsStale();
  const normalFolding = useRemembered('assay.menu.folded', false);
  const onWide = useRemembered('assay.menu.folded.wide', true);
  const [isFolded, setIsFolded] = menuFolded ? onWide : normalFolding;
  // The drawer belongs to the page it was opened on: navigating closes it.
  const [drawerOn, setDrawerOn] = useState<string | null>(null);
  // Read as it opens: they depend on what has the focus then.
  const [jumping, setJumping] = useState<readonly Command[]>();
  const [helpCommands, setHelpCommands] = useState<readonly Command[]>();
  const showPalette = () => setJumping(currentCommands());
  const typedAhead = useTypedAhead(jumping !== undefined);
  const showHelp = () => setHelpCommands(currentCommands());
  useCommandKeys({ onPalette: showPalette, onHelp: showHelp }, !menuHidden);
  // Changes of one user are not for the next one to take back.
  useEffect(() => forgetUndoable, []);
  useCommands(() => {
    const last = lastUndoable();
    return last ? [{ id: 'undo', label: `Undo: ${last.label}`, icon: 'undo', keys: 'Ctrl+Z', run: last.undo }] : [];
  });
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
                <SideMenu groups={menu} company={company} isFolded={isFolded} onFold={setIsFolded} />
              </div>
              <Drawer
                open={drawerOn === pathname}
                onClose={() => setDrawerOn(null)}
                slotProps={{ paper: { 'aria-label': 'Menu' } }}
              >
                <SideMenu
                  groups={menu}
                  company={company}
                  onJump={() => {
                    setDrawerOn(null);
                    showPalette();
                  }}
                />
              </Drawer>
              {jumping && (
                <Palette
                  groups={menu}
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
            >
              {tools}
              <NoticesButton {...notices} />
              <ProfileMenu {...profile} />
            </TopBar>
            {progress}
            <main id="content" tabIndex={-1} data-stale={isStale || undefined}>
              {children}
            </main>
          </div>
        </div>
      </div>
    </PageProvider>
  );
}
