import type { AutocompleteProps } from '@mui/material/Autocomplete';
import type { Choice, ChoiceSource } from './choice';
import { ChoiceRow } from './ChoiceRow';
import { emptyText, groupOf, sharesTitle } from './choiceTexts';
import Paper, { type PaperProps } from '@mui/material/Paper';
import { createContext, use } from 'react';
import { Icon } from '../../icons/Icon';
import { choicesPageSize } from './loadChoices';
import * as styles from './choices.module.css';

/** The frame of the list of choices: its heading, and whether there are more. */
export const ChoicePaperContext = createContext<{ heading?: string; hasMore: boolean }>({ hasMore: false });

/** The dropdown that lists the choices. */
function ChoicePaper({ children, ...paper }: PaperProps) {
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

interface ChoiceListOptions {
  source: ChoiceSource;
  choices: readonly Choice[];
  search: string;
  loading: boolean;
  error: Parameters<typeof emptyText>[1];
}

/** The props that single and multiple choice inputs share: how the dropdown names, groups and renders choices. */
export function choiceList({ source, choices, search, loading, error }: ChoiceListOptions) {
  return {
    filterOptions: (options) => options,
    getOptionLabel: ({ title }) => title,
    groupBy: groupOf(source, choices, search),
    getOptionKey: ({ id }) => id,
    isOptionEqualToValue: (first, second) => first.id === second.id,
    autoHighlight: true,
    loading,
    loadingText: 'Searching…',
    noOptionsText: emptyText(search, error),
    slots: { paper: ChoicePaper },
    renderOption: ({ key, ...row }, choice) => (
      <ChoiceRow
        key={key}
        {...row}
        choice={choice}
        target={source.target}
        search={search}
        hasSharedTitle={sharesTitle(choice, choices)}
      />
    ),
  } satisfies Partial<AutocompleteProps<Choice, boolean, boolean, false>>;
}
