import useMediaQuery from '@mui/material/useMediaQuery';
import { use } from 'react';
import { Navigate } from 'react-router-dom';
import { SettingsContext } from '../layout/menu';
import { usePage } from '../layout/page';
import SettingsMenu from './SettingsMenu';

/** The list of settings as a page in narrow windows; in wider ones it stands beside its entries, and the first one is opened. */
export default function Settings() {
  const groups = use(SettingsContext);
  const isPhone = useMediaQuery('(max-width: 899px)', { noSsr: true });
  usePage({ title: 'Settings' });
  const first = groups[0]?.items[0];
  return isPhone || !first ? <SettingsMenu groups={groups} /> : <Navigate to={first.to} replace />;
}
