import Button from '@mui/material/Button';
import InputAdornment from '@mui/material/InputAdornment';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import OutlinedInput from '@mui/material/OutlinedInput';
import Stack from '@mui/material/Stack';
import { useMemo, useState, type RefObject } from 'react';
import { Link } from 'react-router-dom';
import { isGranted } from '../../src/engine/access/access-decision';
import { realUser } from '../../src/engine/access/actor';
import { formatNumber } from '../../src/engine/formats/numbers';
import { useDefinitions } from '../../src/app/data/DefinitionsContext';
import { Icon } from '../../src/app/icons/Icon';
import * as toolbarStyles from '../../src/app/list/toolbar.module.css';
import { useRemembered } from '../../src/app/preferences/useRemembered';
import { isShown, type EntryFilter } from '../test-runner/entryOrder';
import { AssignButton } from './AssignButton';
import { passesFilters, type ChosenFilters } from './entryFilters';
import { EntryRows } from './EntryRows';
import { FiltersPopover } from './FiltersPopover';
import { groupEntries, groupings, type Grouping } from './groups';
import { mayAssignTests } from './useAssign';
import type { OverviewEntry, OverviewRun } from './overviewApi';
import * as styles from './run-overview.module.css';

interface EntriesTabProps {
  run: OverviewRun;
  entries: readonly OverviewEntry[];
  scroller: RefObject<HTMLDivElement | null>;
  isPhone: boolean;
}

const filters: readonly { value: EntryFilter; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'mine', label: 'Mine' },
  { value: 'not_run', label: 'Not run' },
];

/** The tests of a run in groups, with a search and filters. */
export function EntriesTab({ run, entries, scroller, isPhone }: EntriesTabProps) {
  const { actor } = useDefinitions();
  const person = realUser(actor).id;
  const [search, setSearch] = useState('');
  const [filter, setFilter] = useState<EntryFilter>('all');
  const [chosenFilters, setChosenFilters] = useState<ChosenFilters>({});
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const [grouping, setGrouping] = useRemembered<Grouping>('assay.run-overview.group', 'module');
  const visibleEntries = useMemo(
    () =>
      entries.filter(
        (entry) => isShown(entry, entry.result, filter, search, person) && passesFilters(entry, chosenFilters),
      ),
    [chosenFilters, entries, filter, person, search],
  );
  // Rows that a filter hides are not assigned.
  const selectedEntries = useMemo(
    () => visibleEntries.filter(({ id }) => selected.has(id)),
    [selected, visibleEntries],
  );
  const groups = useMemo(() => groupEntries(visibleEntries, grouping), [grouping, visibleEntries]);
  const counts: Readonly<Record<EntryFilter, number>> = {
    all: entries.length,
    mine: entries.filter(({ assigned: assignee }) => assignee?.id === person).length,
    not_run: entries.filter(({ result }) => result === 'not_run').length,
  };
  const mayAdd = run.state !== 'closed' && run.source === 'people' && isGranted(actor, 'run-entries', 'create');
  const mayAssign = mayAssignTests(run, actor);
  return (
    <>
      <Stack
        direction="row"
        sx={{ flexWrap: 'wrap', alignItems: 'center', gap: 2, py: 2.5, px: 'var(--gutter)' }}
        role="toolbar"
        aria-label="Tests"
      >
        <OutlinedInput
          size="small"
          sx={{ width: 220, '@media (max-width: 599px)': { width: '100%' } }}
          placeholder="Search tests"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          startAdornment={
            <InputAdornment position="start">
              <Icon name="search" />
            </InputAdornment>
          }
          slotProps={{ input: { type: 'search', 'aria-label': 'Search tests' } }}
        />
        <FiltersPopover entries={entries} selection={chosenFilters} onChange={setChosenFilters} />
        <span className={toolbarStyles.listViews} role="group" aria-label="Show">
          {filters.map(({ value, label }) => (
            <button key={value} type="button" aria-pressed={filter === value} onClick={() => setFilter(value)}>
              {label} {value !== 'all' && <span className="num">{formatNumber(counts[value])}</span>}
            </button>
          ))}
        </span>
        <span className={styles.grow} />
        <GroupButton value={grouping} onChange={setGrouping} />
        {mayAssign && (
          <AssignButton
            run={run}
            entries={selectedEntries.length > 0 ? selectedEntries : visibleEntries}
            isSelection={selectedEntries.length > 0}
            onAssigned={() => setSelected(new Set())}
          />
        )}
        {mayAdd && (
          <Button
            variant="outlined"
            startIcon={<Icon name="plus" />}
            component={Link}
            to={`/test-runs/${run.id}/add-tests`}
            aria-label="Add tests"
          >
            Tests
          </Button>
        )}
      </Stack>
      {visibleEntries.length === 0 ? (
        <p className={styles.nothing}>{entries.length === 0 ? 'The run has no tests yet.' : 'No test fits.'}</p>
      ) : (
        <EntryRows
          key={grouping}
          {...{ run, groups, scroller, isPhone }}
          selection={mayAssign ? { selected, onSelect: setSelected } : undefined}
        />
      )}
    </>
  );
}

function GroupButton({ value, onChange }: { value: Grouping; onChange: (grouping: Grouping) => void }) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  return (
    <>
      <Button
        className={styles.groupButton}
        startIcon={<Icon name="layers" />}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        Group: {groupings[value].label}
      </Button>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
        {Object.entries(groupings).map(([name, { label }]) => (
          <MenuItem
            key={name}
            selected={name === value}
            onClick={() => {
              onChange(name as Grouping);
              setAnchor(null);
            }}
          >
            {label}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}
