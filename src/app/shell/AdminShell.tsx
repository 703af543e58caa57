import { useIsFetching, useIsMutating, useMutation } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import { matchPath, useLocation } from 'react-router-dom';
import { isGranted } from '../../engine/access/access-decision';
import { LoadingLine } from '../layout/LoadingLine';
import { Shell } from './Shell';
import { useSession } from '../session/session';
import { useViewingFrame } from '../viewing/useViewingFrame';
import { lazyComponent } from '../states/lazyComponent';
import { authProvider } from '../data/authProvider';
import type { CustomScreen } from '../product';
import { useDefinitions, type Definitions } from '../data/DefinitionsContext';
import { useMe, useViewedUser } from '../data/DefinitionsProvider';
import { buildMenu, withCount } from './menu';
import { useNotices } from './useNotices';
import Button from '@mui/material/Button';
import { useNotify } from 'react-admin';
import { Icon } from '../icons/Icon';
import { fetchApi } from '../session/api';
import type { Me } from '../data/definitionsApi';
import * as styles from './shell.module.css';

/** The role level of owners. A company can invite people once an owner has confirmed their address. */
const owner = 2;

async function sendAgain(): Promise<{ status: boolean; message: string }> {
  return fetchApi('/resend-confirmation', { method: 'POST' });
}

/** Asks an owner to confirm their address until they have done so, and can resend the mail. */
function ConfirmBar({ me }: { me: Me | undefined }) {
  const notify = useNotify();
  const { mutate, isPending } = useMutation({
    mutationFn: sendAgain,
    onSuccess: ({ status, message }) => notify(message, { type: status ? 'success' : 'info' }),
    onError: (error) => notify(error.message, { type: 'error' }),
  });
  if (me?.role.level !== owner || me.user.confirmed !== false) return null;
  return (
    <aside className={styles.confirmBar} aria-label="Your email address">
      <Icon name="mail" />
      <p>
        Confirm your email address: open the link in the email that we sent to <b>{me.user.email}</b>.
        <span> Confirm it before inviting people.</span>
      </p>
      <Button size="small" variant="outlined" disabled={isPending} onClick={() => mutate()}>
        Send it again
      </Button>
    </aside>
  );
}

const TimerButton = lazyComponent(() => import('../timer/TimerButton'));
const AdminPalette = lazyComponent(() => import('./AdminPalette').then((module) => ({ default: module.AdminPalette })));

/** The frame, filled from the definitions, the actor's permissions and the session. */
export function AdminShell({ screens, children }: { screens: readonly CustomScreen[]; children: ReactNode }) {
  const definitions = useDefinitions();
  const { pathname } = useLocation();
  const session = useSession();
  const me = useMe();
  const viewedUser = useViewedUser();
  const { banner, onViewAs } = useViewingFrame(me);
  const notices = useNotices();
  const menu = useMemo(
    () => withCount(buildMenu(definitions, screens), notices.allPath, notices.unread),
    [definitions, screens, notices.allPath, notices.unread],
  );
  const screen = screens.find(({ path }) => matchPath(path, pathname));
  const user = me?.user ?? session?.user;
  const role = me?.role ?? session?.role;
  return (
    <Shell
      menu={menu}
      palette={AdminPalette}
      banner={banner}
      company={viewedUser?.user.site?.name}
      notices={notices}
      tools={hasTimer(definitions) && <TimerButton />}
      progress={<Progress />}
      menuHidden={screen?.menuHidden}
      menuFolded={screen?.menuFolded}
      person={{ name: user?.name ?? '', email: user?.email ?? '', role: role?.role_name ?? '' }}
      profilePath="/profile"
      onViewAs={onViewAs}
      onSignOut={() => void authProvider.logout({})}
    >
      {!definitions.actor.viewer && <ConfirmBar me={me} />}
      {children}
    </Shell>
  );
}

/** A timer is only for those who may record its time, as themselves. */
function hasTimer({ registry, actor }: Definitions): boolean {
  return (
    !actor.viewer &&
    [...registry.definitions.values()].some(({ timer, name }) => timer && isGranted(actor, name, 'create'))
  );
}

/** A line while something is loaded or stored, unless it is marked `meta.noSpinner`: nobody waits for that. */
function Progress() {
  const isBusy = useIsFetching({ predicate: ({ meta }) => meta?.noSpinner !== true }) + useIsMutating() > 0;
  return isBusy && <LoadingLine />;
}
