import Paper, { type PaperProps } from '@mui/material/Paper';
import { createContext, use } from 'react';
import { Icon } from '../icons/Icon';
import { choicesPageSize } from './loadChoices';

/** What surrounds the list of choices: its heading, and whether there are more. */
export const ChoicePaperContext = createContext<{ heading?: string; more: boolean }>({ more: false });

/** The dropdown that lists the choices. */
export function ChoicePaper({ children, ...paper }: PaperProps) {
  const { heading, more } = use(ChoicePaperContext);
  return (
    <Paper {...paper}>
      {heading && <div className="choice-heading">{heading}</div>}
      {children}
      {more && (
        <div className="choice-more">
          <Icon name="info" />
          Showing the first {choicesPageSize}. Type to find others.
        </div>
      )}
    </Paper>
  );
}
