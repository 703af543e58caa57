import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import { Icon } from '../icons/Icon';
import { useThemeChoice } from '../theme/themeChoice';
import * as styles from './shell.module.css';

/** Switches between light and dark with one click. The profile menu also offers to follow the system. */
export function ThemeToggle() {
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
