import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import IconButton from '@mui/material/IconButton';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { Link } from 'react-router-dom';
import { formatNumber } from '../../src/engine/formats/numbers';
import { itemAt } from '../../src/engine/values/lookups';
import { Icon } from '../../src/app/icons/Icon';
import { Initials } from '../../src/app/chips/Initials';
import { relativeTime } from '../../src/app/layout/relativeTime';
import { ResultGlyph, ShortNumbers, ResultBar } from '../results/ResultNumbers';
import { entryKey } from '../test-runner/entryOrder';
import { resultLabels } from '../test-runner/runnerApi';
import { resultText } from '../results/results';
import { takesResults } from '../results/runStates';
import { resultWord, type EntryGroup } from './groups';
import type { OverviewEntry, OverviewRun } from './overviewApi';
import * as styles from './run-overview.module.css';

interface EntryRowsProps {
  run: OverviewRun;
  groups: readonly EntryGroup[];
  scroller: RefObject<HTMLDivElement | null>;
  isPhone: boolean;
  /** Left out: nothing can be selected. */
  selection?: EntrySelection;
}

/** The selected tests, by id. */
interface EntrySelection {
  readonly selected: ReadonlySet<number>;
  readonly onSelect: (selected: ReadonlySet<number>) => void;
}

type Row = { readonly group: EntryGroup } | { readonly entry: OverviewEntry };

/** Pixels. */
const heights = { group: 36, entry: 40, phoneGroup: 44, phoneEntry: 60 };

const headings = [
  { column: 'key', label: 'Key' },
  { column: 'name', label: 'Title' },
  { column: 'result', label: 'Result' },
  { column: 'configuration', label: 'Configuration' },
  { column: 'person', label: 'Assignee' },
  { column: 'comment', label: 'Last comment' },
  { column: 'actions', label: '' },
] as const;

/** Groups with their bars, and their tests. Only the rows in view are rendered. */
export function EntryRows({ run, groups, scroller, isPhone, selection }: EntryRowsProps) {
  const [closedGroups, setClosedGroups] = useState<ReadonlySet<string>>(new Set());
  const box = useRef<HTMLDivElement>(null);
  const [margin, setMargin] = useState(0);
  // The parts above the rows change their height with the loaded data.
  // oxlint-disable-next-line react/exhaustive-deps -- it is measured after every render, and stays the same then
  useLayoutEffect(() => setMargin(box.current?.offsetTop ?? 0));
  const rows = useMemo(
    () =>
      groups.flatMap((group): Row[] => [
        { group },
        ...(closedGroups.has(group.name) ? [] : group.entries.map((entry) => ({ entry }))),
      ]),
    [closedGroups, groups],
  );
  const height = (row: Row) =>
    'group' in row ? (isPhone ? heights.phoneGroup : heights.group) : isPhone ? heights.phoneEntry : heights.entry;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => height(itemAt(rows, index)),
    getItemKey: (index) => {
      const row = itemAt(rows, index);
      return 'group' in row ? `group ${row.group.name}` : row.entry.id;
    },
    scrollMargin: margin,
    overscan: 12,
  });
  const toggle = (name: string) =>
    setClosedGroups((groupsBefore) => {
      const next = new Set(groupsBefore);
      if (!next.delete(name)) next.add(name);
      return next;
    });
  return (
    <div role="table" aria-label="Tests" aria-rowcount={rows.length + 1} className={selection && styles.selectable}>
      {!isPhone && (
        <div role="row" className={styles.head}>
          {selection && (
            <span role="columnheader">
              <SelectBox
                label="Select all tests shown"
                ids={groups.flatMap(({ entries }) => entries.map(({ id }) => id))}
                selection={selection}
              />
            </span>
          )}
          {headings.map(({ column, label }) => (
            <span key={column} role="columnheader" data-column={column}>
              {label || <span className="unseen">Actions</span>}
            </span>
          ))}
        </div>
      )}
      <div ref={box} role="rowgroup" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
        {virtual.getVirtualItems().map(({ key, index, start, size }) => {
          const row = itemAt(rows, index);
          const rowStyle = { height: size, transform: `translateY(${start - margin}px)` };
          return 'group' in row ? (
            <div key={key} role="row" aria-rowindex={index + 2} className={styles.group} style={rowStyle}>
              <GroupCell
                group={row.group}
                isOpen={!closedGroups.has(row.group.name)}
                onToggle={toggle}
                selection={isPhone ? undefined : selection}
              />
            </div>
          ) : (
            <div key={key} role="row" aria-rowindex={index + 2} className={styles.entry} style={rowStyle}>
              {selection && !isPhone && (
                <span role="cell">
                  <SelectBox
                    label={`Select ${entryKey(row.entry)} ${row.entry.name}`}
                    ids={[row.entry.id]}
                    selection={selection}
                  />
                </span>
              )}
              <EntryCells run={run} entry={row.entry} isPhone={isPhone} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

interface SelectBoxProps {
  label: string;
  ids: readonly number[];
  selection: EntrySelection;
}

/** Selects tests, or all of them again. */
function SelectBox({ label, ids, selection: { selected, onSelect } }: SelectBoxProps) {
  const count = ids.filter((id) => selected.has(id)).length;
  const isAll = count > 0 && count === ids.length;
  const toggle = () =>
    onSelect(new Set(isAll ? [...selected].filter((id) => !ids.includes(id)) : [...selected, ...ids]));
  return (
    <Checkbox
      size="small"
      checked={isAll}
      indeterminate={count > 0 && !isAll}
      onChange={toggle}
      slotProps={{ input: { 'aria-label': label } }}
    />
  );
}

interface GroupCellProps {
  group: EntryGroup;
  isOpen: boolean;
  onToggle: (name: string) => void;
  selection?: EntrySelection;
}

function GroupCell({ group: { name, entries, counts }, isOpen, onToggle, selection }: GroupCellProps) {
  return (
    <span role="cell" className={styles.groupCell}>
      {selection && (
        <SelectBox label={`Select all of ${name}`} ids={entries.map(({ id }) => id)} selection={selection} />
      )}
      <button type="button" aria-expanded={isOpen} onClick={() => onToggle(name)}>
        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
        <b>{name}</b>
        <Box className="num" component="span" sx={{ color: 'var(--t3)' }}>
          {formatNumber(entries.length)}
        </Box>
      </button>
      <Box component="span" sx={{ flex: 'none', width: 120, '@media (max-width: 599px)': { display: 'none' } }}>
        <ResultBar counts={counts} size="small" />
      </Box>
      <ShortNumbers counts={counts} />
    </span>
  );
}

function EntryCells({ run, entry, isPhone }: { run: OverviewRun; entry: OverviewEntry; isPhone: boolean }) {
  const { name, result, configuration, assigned: assignee, comment, run_at } = entry;
  const word = resultWord(result);
  const url = run.source === 'people' ? `/test-runs/${run.id}/run?entry=${entry.id}` : `/run-entries/${entry.id}`;
  if (isPhone) {
    return (
      <span role="cell" className={styles.phoneEntry}>
        <ResultGlyph result={word} hasLabel />
        <span>
          <Link to={url}>{name}</Link>
          <small>{[entryKey(entry), configuration?.name].filter(Boolean).join(' · ')}</small>
        </span>
        {assignee && <Initials name={assignee.name} />}
      </span>
    );
  }
  return (
    <>
      <span role="cell" className={styles.key}>
        {entryKey(entry)}
      </span>
      <span role="cell" className={styles.name}>
        <Link to={url} title={name}>
          {name}
        </Link>
      </span>
      <span role="cell" className={styles.result} style={resultText(word, 't2')}>
        <ResultGlyph result={word} />
        {resultLabels[result]}
      </span>
      <span role="cell" className={styles.text} data-column="configuration" title={configuration?.name}>
        {configuration?.name ?? '–'}
      </span>
      <span role="cell" className={styles.person}>
        {assignee ? (
          <>
            <Initials name={assignee.name} />
            <span title={assignee.name}>{assignee.name}</span>
          </>
        ) : (
          '–'
        )}
      </span>
      <span role="cell" className={styles.text} data-column="comment" title={comment ?? undefined}>
        {comment ? comment.split('\n', 1)[0] : '–'}
        {comment && run_at && <small>, {relativeTime(run_at)}</small>}
      </span>
      <span role="cell" className={styles.rowActions}>
        <IconButton size="small" component={Link} to={url} aria-label={`Open ${entryKey(entry)} ${name}`}>
          <Icon name={takesResults(run.state) && run.source === 'people' ? 'play' : 'eye'} />
        </IconButton>
        <EntryMenu entry={entry} />
      </span>
    </>
  );
}

/** Where a test and its test case are read and changed. */
function EntryMenu({ entry }: { entry: OverviewEntry }) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const close = () => setAnchor(null);
  const { test_case: testCase } = entry;
  const links = [
    ...(testCase ? [{ url: `/test-cases/${testCase.id}/view`, icon: 'file', label: `Open ${entryKey(entry)}` }] : []),
    { url: `/run-entries/${entry.id}`, icon: 'pencil', label: 'Edit the test' },
    { url: `/run-entries/${entry.id}/history`, icon: 'history', label: 'History' },
  ] as const;
  return (
    <>
      <IconButton
        size="small"
        aria-label={`More actions for ${entryKey(entry)} ${entry.name}`}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <Icon name="more" />
      </IconButton>
      {anchor && (
        <Menu open anchorEl={anchor} onClose={close}>
          {links.map(({ url, icon, label }) => (
            <MenuItem key={url} component={Link} to={url} onClick={close}>
              <Icon name={icon} />
              {label}
            </MenuItem>
          ))}
        </Menu>
      )}
    </>
  );
}
