import Button from '@mui/material/Button';
import OutlinedInput from '@mui/material/OutlinedInput';
import Popover from '@mui/material/Popover';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { useDataProvider, type RaRecord } from 'react-admin';
import { useHref } from 'react-router-dom';
import { isGranted } from '../../../engine/access/access-decision';
import { fillSnippet, placeholderNames } from '../../../engine/comments/fill-snippet';
import type { Definition, ResourceRecord } from '../../../engine/definitions/definition';
import { markupToText } from '../../../engine/formats/markup-to-text';
import { isEqualJson } from '../../../engine/values/equal-values';
import { useDefinitions } from '../../data/DefinitionsContext';
import { reportError } from '../../data/ErrorToasts';
import type { SnippetSubject } from './subject';
import * as styles from './snippets.module.css';

interface Snippet extends RaRecord {
  readonly id: number;
  readonly title: string;
  readonly text: string;
  readonly modules: string | null;
}

interface SnippetListProps {
  anchor: HTMLElement;
  subject: SnippetSubject;
  onClose: () => void;
  /** Gets the markup with the values of the record. */
  onInsert: (markup: string) => void;
}

/** The most that are loaded at once; of more, the server searches. */
const maxSnippets = 300;

/** The snippets for records of a module, searched by title and text, and chosen by keys or with the mouse. */
export function SnippetList({ anchor, subject, onClose, onInsert }: SnippetListProps) {
  const { actor, registry } = useDefinitions();
  const dataProvider = useDataProvider();
  const newSnippet = useHref('/snippets/create');
  const id = useId();
  const [searchText, setSearchText] = useState('');
  const [current, setCurrent] = useState(0);
  const [areMany, setMany] = useState(false);
  const active = useRef<HTMLLIElement>(null);
  const words = searchText.trim().toLowerCase();
  const params = {
    pagination: { page: 1, perPage: maxSnippets },
    sort: { field: 'title', order: 'ASC' as const },
    filter: areMany && words !== '' ? { q: words } : {},
  };
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: ['snippets', 'getList', params],
    queryFn: ({ signal }) => dataProvider.getList<Snippet>('snippets', { ...params, signal }),
    placeholderData: keepPreviousData,
    retry: false,
    meta: { quiet: true },
  });
  if (!areMany && (data?.total ?? 0) > maxSnippets) setMany(true);
  const matches = data?.data.filter(
    ({ title, text, modules }) =>
      isFor(modules, subject.resource) && `${title}\n${markupToText(text)}`.toLowerCase().includes(words),
  );
  const currentSnippet = matches?.[Math.min(current, matches.length - 1)];
  useEffect(() => {
    active.current?.scrollIntoView?.({ block: 'nearest' });
  }, [currentSnippet]);

  const insert = async ({ text }: Snippet) => {
    const definition = registry.get(subject.resource);
    if (!definition) return onInsert(text);
    try {
      const record = await recordOf(definition, new Set(placeholderNames(text)));
      onInsert(fillSnippet(text, definition, record, registry));
    } catch (failure) {
      reportError(failure as Error);
    }
  };
  /** The record with what is typed into its form, and with the records that were chosen there. */
  const recordOf = async (definition: Definition, names: ReadonlySet<string>): Promise<ResourceRecord> => {
    if (names.size === 0) return {};
    const storedRecord =
      subject.id === undefined
        ? undefined
        : (await dataProvider.getOne<RaRecord>(subject.resource, { id: subject.id })).data;
    const record: Record<string, unknown> = { ...storedRecord, ...subject.values?.() };
    for (const field of Object.values(definition.fields)) {
      const { name, to: target, embed = name } = field;
      if (target === undefined || !(names.has(name) || names.has(embed))) continue;
      // With a stored value that was not changed in the form come its records.
      if (isEqualJson(storedRecord?.[name], record[name])) continue;
      const ids = [record[name]].flat().filter((id) => typeof id === 'number');
      record[embed] = ids.length === 0 ? null : (await dataProvider.getMany<RaRecord>(target, { ids })).data;
    }
    return record;
  };

  const onKeyDown = (event: KeyboardEvent) => {
    // Keys in the list are its own: React's events leave it for the form that its text belongs to.
    if (event.key !== 'Escape') event.stopPropagation();
    const count = matches?.length ?? 0;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : count - 1;
      if (count > 0) setCurrent((Math.min(current, count - 1) + step) % count);
    } else if (event.key === 'Enter' && (event.target as Element).tagName === 'INPUT') {
      event.preventDefault();
      if (currentSnippet && !isPlaceholderData) void insert(currentSnippet);
    }
  };
  const optionId = (snippet: Snippet) => `${id}-${snippet.id}`;
  return (
    <Popover
      open
      anchorEl={anchor}
      onClose={onClose}
      onKeyDown={onKeyDown}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
      slotProps={{ paper: { role: 'dialog', 'aria-label': 'Snippets', className: styles.snippets ?? '' } }}
      data-of-cell=""
    >
      <OutlinedInput
        autoFocus
        size="small"
        fullWidth
        placeholder="Search snippets"
        value={searchText}
        onChange={({ target }) => {
          setSearchText(target.value);
          setCurrent(0);
        }}
        slotProps={{
          input: {
            'aria-label': 'Search snippets',
            role: 'combobox',
            'aria-expanded': true,
            'aria-controls': `${id}-list`,
            'aria-autocomplete': 'list',
            'aria-activedescendant': currentSnippet ? optionId(currentSnippet) : undefined,
          },
        }}
      />
      {error && <p role="alert">Snippets could not be loaded: {error.message}</p>}
      <ul id={`${id}-list`} className={styles.snippetList} role="listbox" aria-label="Snippets" aria-busy={!matches}>
        {matches?.map((snippet) => (
          <li
            key={snippet.id}
            ref={snippet === currentSnippet ? active : undefined}
            id={optionId(snippet)}
            role="option"
            aria-selected={snippet === currentSnippet}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => void insert(snippet)}
          >
            {snippet.title}
            <small>{markupToText(snippet.text)}</small>
          </li>
        ))}
      </ul>
      {matches?.length === 0 && (
        <p className={styles.snippetNone} role="status">
          {words === '' ? 'No snippet yet.' : 'No snippet fits.'}
        </p>
      )}
      {isGranted(actor, 'snippets', 'create') && (
        <Button size="small" variant="text" href={newSnippet} target="_blank">
          New snippet
        </Button>
      )}
    </Popover>
  );
}

/** Whether a snippet is offered for records of a module: its modules are named with commas, and none means all. */
function isFor(modules: string | null, resource: string): boolean {
  return !modules || modules.split(',').some((name) => name.trim() === resource);
}
