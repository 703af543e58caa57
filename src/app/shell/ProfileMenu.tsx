import IconButton from '@mui/material/IconButton';
import { usePopup } from '../dialogs/usePopup';
import { Initials } from '../chips/Initials';
import { lazyComponent } from '../states/lazyComponent';
import type { ProfileMenuProps } from './ProfileItems';

const ProfileItems = lazyComponent(() => import('./ProfileItems'));

/** The user menu: name and role, profile, theme, sign out. */
export function ProfileMenu(props: ProfileMenuProps) {
  const menu = usePopup('menu');
  return (
    <>
      <IconButton aria-label={`${props.person.name}, profile menu`} {...menu.button}>
        <Initials name={props.person.name} size={28} />
      </IconButton>
      {menu.anchor && <ProfileItems menu={menu} {...props} />}
    </>
  );
}
