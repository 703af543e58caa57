import type { AutocompleteProps } from '@mui/material/Autocomplete';
import type { Choice, ChoiceSource } from './choice';
import { ChoicePaper } from './ChoicePaper';
import { ChoiceRow } from './ChoiceRow';
import { emptyText, groupOf, sharesTitle } from './choiceTexts';

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
