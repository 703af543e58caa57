import InputAdornment from '@mui/material/InputAdornment';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useId, useState, type KeyboardEvent, useDeferredValue } from 'react';
import { Icon } from '../icons/Icon';
import { Initials } from '../chips/Initials';
import * as styles from './viewing.module.css';
import { itemAt } from '../../engine/values/lookups';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { fetchApi } from '../session/api';

interface ViewAsListProps {
  kind: ViewAsKind;
  companies: boolean;
  onChoose: (choice: ViewAsChoice) => void;
}

const hints = { person: 'Name, role or company', role: 'Role or company' };

/** Finds people or roles by part of their name; arrow keys move, Enter chooses. */
export function ViewAsList({ kind, companies, onChoose }: ViewAsListProps) {
  const id = useId();
  const [text, setText] = useState('');
  const [pointed, setPointed] = useState<string>();
  const { choices = [], isAnswer, error } = useViewAsChoices(kind, text);
  // The highlighted entry stays highlighted when results change.
  const currentIndex = Math.max(
    0,
    choices.findIndex(({ as: viewAs }) => viewAs === pointed),
  );
  const current = choices[currentIndex];
  const onKeyDown = (event: KeyboardEvent) => {
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (move && choices.length > 0) {
      event.preventDefault();
      setPointed(itemAt(choices, (currentIndex + move + choices.length) % choices.length).as);
    } else if (event.key === 'Enter' && current) {
      event.preventDefault();
      onChoose(current);
    }
  };
  return (
    <>
      <div className={styles.viewAsSearch}>
        <OutlinedInput
          autoFocus
          fullWidth
          size="small"
          placeholder={companies ? hints[kind] : hints[kind].replace(' or company', '').replace(', ', ' or ')}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setPointed(undefined);
          }}
          onKeyDown={onKeyDown}
          slotProps={{
            input: {
              role: 'combobox',
              maxLength: 255,
              'aria-label': kind === 'person' ? 'Find a person' : 'Find a role',
              'aria-expanded': true,
              'aria-controls': `${id}-list`,
              'aria-activedescendant': current ? `${id}-${currentIndex}` : undefined,
              'aria-autocomplete': 'list',
            },
          }}
          startAdornment={
            <InputAdornment position="start">
              <Icon name="search" />
            </InputAdornment>
          }
        />
      </div>
      <ul
        id={`${id}-list`}
        className={styles.viewAsList}
        role="listbox"
        aria-label={kind === 'person' ? 'People' : 'Roles'}
      >
        {choices.map((choice, index) => (
          <li
            key={choice.as}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === currentIndex}
            ref={(row) => {
              if (index === currentIndex) row?.scrollIntoView?.({ block: 'nearest' });
            }}
            onMouseMove={() => setPointed(choice.as)}
            onClick={() => onChoose(choice)}
          >
            {kind === 'person' ? <Initials name={choice.name} size={28} /> : <Icon name="shield" size={18} />}
            <span className={styles.viewAsWho}>
              <b>{choice.name}</b>
              <small>{detailsOf(choice, kind, companies)}</small>
            </span>
          </li>
        ))}
        {isAnswer && choices.length === 0 && (
          <li className={styles.viewAsNone} role="presentation">
            {text.trim() === '' ? 'There is nobody else yet.' : 'No matches.'}
          </li>
        )}
        {error && choices.length === 0 && (
          <li className={styles.viewAsNone} role="alert">
            {error.message}
          </li>
        )}
      </ul>
    </>
  );
}

function detailsOf({ role, level, company }: ViewAsChoice, kind: ViewAsKind, companies: boolean): string {
  const roleText = kind === 'person' ? `${role}, level ${level}` : `Level ${level}`;
  return companies ? `${roleText}, ${company ?? 'the installation'}` : roleText;
}

/** A person or role to view as. */
export interface ViewAsChoice {
  /** The value of the header. */
  readonly as: string;
  readonly name: string;
  readonly role: string;
  readonly level: number;
  readonly company: string | null;
}

/** The kind of choices. */
export type ViewAsKind = 'person' | 'role';

async function fetchViewAsChoices(
  kind: ViewAsKind,
  text: string,
  signal: AbortSignal,
): Promise<readonly ViewAsChoice[]> {
  const query = text === '' ? '' : `?${new URLSearchParams({ q: text })}`;
  return (await fetchApi<{ data: ViewAsChoice[] }>(`/view-as/choices/${kind}${query}`, { signal })).data;
}

/**
 * The people or roles with a text in their name, role or company; undefined before the first response. Until the
 * response arrives, the previous ones that match the text, so that a quick Enter never selects somebody who does not
 * match.
 */
function useViewAsChoices(kind: ViewAsKind, typedText: string) {
  const searchText = typedText.trim();
  const text = useDeferredValue(searchText);
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: ['view-as', kind, text],
    queryFn: ({ signal }) => fetchViewAsChoices(kind, text, signal),
    placeholderData: (last, query) => (query?.queryKey[1] === kind ? keepPreviousData(last) : undefined),
    meta: { quiet: true },
  });
  const isAnswer = data !== undefined && !isPlaceholderData && text === searchText;
  return {
    choices: isAnswer ? data : data?.filter((choice) => matchesText(choice, kind, searchText)),
    isAnswer,
    error,
  };
}

function matchesText({ name, role, company }: ViewAsChoice, kind: ViewAsKind, text: string): boolean {
  const texts = kind === 'person' ? [name, role, company] : [name, company];
  return texts.filter(Boolean).join(' ').toLowerCase().includes(text.toLowerCase());
}
