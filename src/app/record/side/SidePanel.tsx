import Drawer from '@mui/material/Drawer';
import GlobalStyles from '@mui/material/GlobalStyles';
import IconButton from '@mui/material/IconButton';
import { Icon } from '../../icons/Icon';
import type { FormFrameProps } from '../../form/formFrame';
import * as formStyles from '../../form/form.module.css';
import * as styles from './side.module.css';

/** A form at the right side: beside the list where both fit, over it otherwise. */
export function SidePanel({ titleId, title, level, links, width, lasting, onClose, children }: FormFrameProps) {
  const Heading = `h${level}` as const;
  return (
    <>
      <GlobalStyles styles={{ '@media (min-width: 1200px)': { '#content': { paddingRight: width } } }} />
      <Drawer
        open
        anchor="right"
        className={styles.formSide}
        onClose={(_, reason) => (reason === 'escapeKeyDown' || !lasting) && onClose()}
        slotProps={{
          paper: {
            className: `${formStyles.formDialog} ${styles.formSidePaper}`,
            sx: { width, maxWidth: '100%' },
            role: 'dialog',
            'aria-modal': true,
            'aria-labelledby': titleId,
          },
        }}
      >
        <header className={styles.formSideHead}>
          <Heading id={titleId}>{title}</Heading>
          {links}
          <IconButton aria-label="Close" onClick={onClose}>
            <Icon name="close" />
          </IconButton>
        </header>
        {children}
      </Drawer>
    </>
  );
}
