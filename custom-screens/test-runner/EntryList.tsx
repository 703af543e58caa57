import InputAdornment from '@mui/material/InputAdornment';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef, type KeyboardEvent, type RefObject } from 'react';
import { formatNumber } from '../../src/engine/formats/numbers';
import { itemAt } from '../../src/engine/values/lookups';
import { Icon } from '../../src/app/icons/Icon';
import { Initials } from '../../src/app/chips/Initials';
import * as toolbarStyles from '../../src/app/list/toolbar.module.css';
import { entryKey, type EntryFilter } from './entryOrder';
import { EntryColleagues, type Colleague } from './Colleagues';
import { ResultIcon } from './ResultIcon';
import type { Entry, Result } from './runnerApi';
import * as styles from './runner.module.css';

interface EntryListProps {
  /** The tests that are shown, in their order. */
  entries: readonly Entry[];
  current: number | undefined;
  resultOf: (entry: Entry) => Result;
  /** The colleagues at each test now. */
  colleagues: ReadonlyMap<number, readonly Colleague[]>;
  filter: EntryFilter;
  /** How many tests each filter shows. */
  counts: Readonly<Record<EntryFilter, number>>;
  onFilter: (filter: EntryFilter) => void;
  search: string;
  onSearch: (search: string) => void;
  searchBox: RefObject<HTMLInputElement | null>;
  onOpen: (entry: Entry) => void;
}

const filters: readonly { value: EntryFilter; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'mine', label: 'Mine' },
  { value: 'not_run', label: 'Not run' },
];

/** Pixels. */
const [rowHeight, headingHeight] = [32, 36];

type Row = { readonly heading: string } | { readonly entry: Entry };

/** The tests of a run by module, with a search and filters. Only the rows in view are rendered. */
export function EntryList({ entries, current, resultOf, colleagues, onOpen, ...head }: EntryListProps) {
  const box = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => withHeadings(entries), [entries]);
  // The library changes its instance and not the rows, which is what the rule of the compiler is about.
  // oxlint-disable-next-line react/incompatible-library
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: (index) => ('heading' in itemAt(rows, index) ? headingHeight : rowHeight),
    getItemKey: (index) => {
      const row = itemAt(rows, index);
      return 'heading' in row ? `heading ${row.heading}` : row.entry.id;
    },
    // A long name has as many lines as it needs.
    measureElement: (element) => element.getBoundingClientRect().height || rowHeight,
    overscan: 12,
  });
  // Where all tests are of one configuration, it tells none apart.
  const hasConfigurations = useMemo(
    () => new Set(entries.map(({ configuration }) => configuration?.id)).size > 1,
    [entries],
  );
  const currentIndex = rows.findIndex((row) => 'entry' in row && row.entry.id === current);
  useEffect(() => {
    if (currentIndex >= 0) virtual.scrollToIndex(currentIndex, { align: 'auto' });
  }, [currentIndex, virtual]);
  return (
    <section className={styles.entries} aria-label="Tests of the run">
      <ListHead {...head} />
      <div
        className={styles.entryScroll}
        ref={box}
        role="listbox"
        aria-label="Tests"
        tabIndex={0}
        aria-activedescendant={currentIndex >= 0 ? `entry-${current}` : undefined}
        onKeyDown={(event) => moveByArrows(event, entries, current, onOpen)}
      >
        {entries.length === 0 && <p className={styles.nothing}>No test fits.</p>}
        <div style={{ height: virtual.getTotalSize(), position: 'relative' }}>
          {virtual.getVirtualItems().map(({ key, index, start }) => {
            const row = itemAt(rows, index);
            const rowStyle = { transform: `translateY(${start}px)` };
            const measured = { ref: virtual.measureElement, 'data-index': index };
            if ('heading' in row)
              return (
                <h3 key={key} {...measured} className={styles.entryHeading} style={rowStyle} role="presentation">
                  {row.heading}
                </h3>
              );
            const { entry } = row;
            const result = resultOf(entry);
            return (
              <div
                key={key}
                {...measured}
                id={`entry-${entry.id}`}
                role="option"
                aria-selected={entry.id === current}
                aria-setsize={entries.length}
                className={styles.entry}
                data-run={result !== 'not_run' || undefined}
                style={rowStyle}
                onClick={() => onOpen(entry)}
              >
                <ResultIcon result={result} />
                <span className={`${styles.entryKey} num`}>{entryKey(entry)}</span>
                <span className={styles.entryName}>{entry.name}</span>
                {hasConfigurations && entry.configuration && (
                  <small title={entry.configuration.name}>{entry.configuration.name}</small>
                )}
                <EntryColleagues people={colleagues.get(entry.id)} />
                {entry.assigned && !colleagues.has(entry.id) && (
                  <span title={`Assigned to ${entry.assigned.name}`}>
                    <Initials name={entry.assigned.name} size={20} />
                  </span>
                )}
              </div>
            );
          })}
        </div>
      </div>
    </section>
  );
}

type ListHeadProps = Pick<EntryListProps, 'filter' | 'counts' | 'onFilter' | 'search' | 'onSearch' | 'searchBox'>;

function ListHead({ filter, counts, onFilter, search, onSearch, searchBox }: ListHeadProps) {
  return (
    <div className={styles.entryHead}>
      <OutlinedInput
        size="small"
        fullWidth
        placeholder="Find a test"
        value={search}
        inputRef={searchBox}
        onChange={(event) => onSearch(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          onSearch('');
          event.currentTarget.querySelector('input')?.blur();
        }}
        startAdornment={
          <InputAdornment position="start">
            <Icon name="search" />
          </InputAdornment>
        }
        endAdornment={<kbd>/</kbd>}
        slotProps={{ input: { type: 'search', 'aria-label': 'Find a test' } }}
      />
      <span className={`${toolbarStyles.listViews} ${styles.entryFilters}`} role="group" aria-label="Show">
        {filters.map(({ value, label }) => (
          <button key={value} type="button" aria-pressed={filter === value} onClick={() => onFilter(value)}>
            {label} <span className="num">{formatNumber(counts[value])}</span>
          </button>
        ))}
      </span>
    </div>
  );
}

function withHeadings(entries: readonly Entry[]): readonly Row[] {
  const rows: Row[] = [];
  let module: string | null | undefined;
  // Without modules there is nothing to tell apart.
  const hasModules = entries.some((entry) => entry.module !== null);
  for (const entry of entries) {
    if (hasModules && entry.module !== module) rows.push({ heading: entry.module ?? 'Without a module' });
    module = entry.module;
    rows.push({ entry });
  }
  return rows;
}

function moveByArrows(
  event: KeyboardEvent,
  entries: readonly Entry[],
  current: number | undefined,
  onOpen: (entry: Entry) => void,
): void {
  const index = entries.findIndex(({ id }) => id === current);
  const last = entries.length - 1;
  const targets: Readonly<Record<string, number>> = {
    ArrowDown: Math.min(index + 1, last),
    ArrowUp: Math.max(index - 1, 0),
    Home: 0,
    End: last,
  };
  const entry = entries[targets[event.key] ?? -1];
  if (!entry) return;
  event.preventDefault();
  onOpen(entry);
}
