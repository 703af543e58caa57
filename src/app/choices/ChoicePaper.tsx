import Paper, { type PaperProps } from '@mui/material/Paper';
import { createContext, use } from 'react';
import { Icon } from '../icons/Icon';
import { pageOfChoices } from './loadChoices';

/** What surrounds the list of choices: its heading, and whether there are more. */
export const PaperNotes = createContext<{ heading?: string; more: boolean }>({ more: false });

/** The dropdown that lists the choices. */
export function ChoicePaper({ children, ...paper }: PaperProps) {
  const { heading, more } = use(PaperNotes);
  return (
    <Paper {...paper}>
      {heading && <div className="choice-heading">{heading}</div>}
      {children}
      {more && (
        <div className="choice-more">
          <Icon name="info" />
          Showing the first {pageOfChoices}. Type to find others.
        </div>
      )}
    </Paper>
  );
}
