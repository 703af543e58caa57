import { useIsFetching, useIsMutating } from '@tanstack/react-query';
import { useEffect, useMemo, useState, type ComponentProps, type ReactNode } from 'react';
import { matchPath, useLocation } from 'react-router-dom';
import { isGranted } from '../../engine/access/access-decision';
import { switcherDefinition } from '../../engine/lists/list-scope';
import { useFrameCommands } from '../commands/commands';
import { LoadingLine } from '../layout/LoadingLine';
import { activeItem } from '../layout/menu';
import { useBar } from '../layout/page';
import { isDataSaverOn } from './Prefetch';
import { Shell } from './Shell';
import { useSession } from '../session/session';
import { useViewingFrame } from '../viewing/useViewingFrame';
import { lazyComponent, lazyDetail } from '../states/lazyComponent';
import { authProvider } from '../data/authProvider';
import { homePath, type CustomScreen } from '../product';
import { useDefinitions, type Definitions } from '../data/DefinitionsContext';
import { useMe, useViewedUser } from '../data/DefinitionsProvider';
import { MenuCount } from './MenuCount';
import { buildMenu, withMarks, type MenuMark } from './menu';
import { isFormOverList } from './resourceOf';
import NewButton from './NewButton';
import { Switcher } from './switcher/Switcher';
import TimerButton from '../timer/TimerButton';
import { useNotices } from './useNotices';

/** The role level of owners. A company can invite people once an owner has confirmed their address. */
const owner = 2;

const ConfirmBar = lazyComponent(() => import('./ConfirmBar'));
const LogTime = lazyComponent(() => import('../timer/LogTime'));
const AdminPalette = lazyComponent(() => import('./AdminPalette').then((module) => ({ default: module.AdminPalette })));

const MenuMarks = lazyDetail(() => import('./MenuMarks'), Nothing);

const noMarks: MenuMark[] = [];

function Nothing() {
  return null;
}

/** Milliseconds that a screen needs to begin its requests, and to paint. */
const paintDelay = 200;

/** The marks of the menu, as soon as the first screen has been there without requests for a moment. */
function LaterMarks(props: ComponentProps<typeof MenuMarks>) {
  const isFetching = useIsFetching() > 0;
  const isWaiting = useBar().page === null || isFetching;
  const [isLoaded, setLoaded] = useState(false);
  useEffect(() => {
    if (isWaiting || isDataSaverOn()) return;
    const timer = setTimeout(() => setLoaded(true), paintDelay);
    return () => clearTimeout(timer);
  }, [isWaiting]);
  return isLoaded && <MenuMarks {...props} />;
}

/** The frame, filled from the definitions, the actor's permissions and the session. */
export function AdminShell({ screens, children }: { screens: readonly CustomScreen[]; children: ReactNode }) {
  const definitions = useDefinitions();
  const { pathname } = useLocation();
  const session = useSession();
  const me = useMe();
  const viewedUser = useViewedUser();
  const { banner, onViewAs } = useViewingFrame(me);
  const notices = useNotices();
  const [marks, setMarks] = useState(noMarks);
  const { allPath, unread } = notices;
  const menu = useMemo(() => {
    const unreadMark: MenuMark = [allPath, unread > 0 && <MenuCount count={unread} label="Unread" />];
    return withMarks(buildMenu(definitions, screens), [unreadMark, ...marks]);
  }, [allPath, definitions, marks, screens, unread]);
  const entryPaths = useMemo(
    () =>
      new Set(
        [...menu.groups, ...menu.settings].flatMap(({ items }) =>
          items.flatMap(({ tabs = [] }) => tabs.map(({ to: path }) => path)),
        ),
      ),
    [menu],
  );
  // A record below an entry has the way back in the place of the tabs.
  const isEntry = entryPaths.has(pathname);
  const screen = screens.find(({ path }) => matchPath(path, pathname));
  const isUnconfirmedOwner = !definitions.actor.viewer && me?.role.level === owner && me.user.confirmed === false;
  const timeRecords = timeDefinition(definitions);
  const [isLogging, setLogging] = useState(false);
  useFrameCommands(
    () => [
      { id: 'log time', label: 'Log time', icon: 'clock', keys: 'l', opensInput: true, run: () => setLogging(true) },
    ],
    timeRecords !== undefined,
  );
  const user = me?.user ?? session?.user;
  const role = me?.role ?? session?.role;
  return (
    <Shell
      menu={menu}
      palette={AdminPalette}
      banner={banner}
      company={viewedUser?.user.site?.name}
      notices={notices}
      newButton={<NewButton />}
      switcher={hasSwitcher(definitions) ? Switcher : undefined}
      tools={timeRecords && <TimerButton entry={activeItem(menu.groups, pathname)} />}
      progress={<Progress />}
      menuHidden={screen?.menuHidden}
      menuFolded={screen?.menuFolded}
      hasTabs={isEntry || isFormOverList(pathname, definitions.registry)}
      homePath={homePath()}
      person={{ name: user?.name ?? '', email: user?.email ?? '', role: role?.role_name ?? '' }}
      profilePath="/profile"
      onViewAs={onViewAs}
      onSignOut={() => void authProvider.logout({})}
    >
      {isUnconfirmedOwner && me && <ConfirmBar email={me.user.email} />}
      {children}
      <LaterMarks onMarks={setMarks} />
      {isLogging && timeRecords && <LogTime definition={timeRecords} onClose={() => setLogging(false)} />}
    </Shell>
  );
}

/** The records of time that the actor may add; undefined for a viewer, who has no time of their own. */
function timeDefinition({ registry, actor }: Definitions) {
  if (actor.viewer) return undefined;
  return [...registry.definitions.values()].find(({ timer, name }) => timer && isGranted(actor, name, 'create'));
}

/** A viewer chooses nothing: the choice would be the viewer's own. */
function hasSwitcher({ registry, actor }: Definitions): boolean {
  const definition = switcherDefinition(registry);
  return !actor.viewer && definition !== undefined && isGranted(actor, definition.name, 'list');
}

/** A line while something is loaded or stored, unless it is marked `meta.noSpinner`: nobody waits for that. */
function Progress() {
  const isBusy = useIsFetching({ predicate: ({ meta }) => meta?.noSpinner !== true }) + useIsMutating() > 0;
  return isBusy && <LoadingLine />;
}
