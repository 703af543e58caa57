import Paper, { type PaperProps } from '@mui/material/Paper';
import { createContext, use } from 'react';
import { Icon } from '../../icons/Icon';
import { choicesPageSize } from './loadChoices';
import * as styles from './choices.module.css';

/** The frame of the list of choices: its heading, and whether there are more. */
export const ChoicePaperContext = createContext<{ heading?: string; hasMore: boolean }>({ hasMore: false });

/** The dropdown that lists the choices. */
export function ChoicePaper({ children, ...paper }: PaperProps) {
  const { heading, hasMore } = use(ChoicePaperContext);
  return (
    <Paper {...paper}>
      {heading && <div className={styles.choiceHeading}>{heading}</div>}
      {children}
      {hasMore && (
        <div className={styles.choiceMore}>
          <Icon name="info" />
          Showing the first {choicesPageSize}. Type to find others.
        </div>
      )}
    </Paper>
  );
}
