import Checkbox from '@mui/material/Checkbox';
import InputAdornment from '@mui/material/InputAdornment';
import OutlinedInput from '@mui/material/OutlinedInput';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef, useState } from 'react';
import { formatNumber } from '../../src/engine/formats/numbers';
import { itemAt } from '../../src/engine/values/lookups';
import { RecordChip } from '../../src/app/chips/RecordChip';
import { useDefinitions } from '../../src/app/data/DefinitionsContext';
import { Icon } from '../../src/app/icons/Icon';
import { AppliedFilters } from '../../src/app/list/AppliedFilters';
import { FiltersButton } from '../../src/app/list/filters/FiltersButton';
import { ResourceListProvider } from '../../src/app/list/ResourceList';
import { noFixedFilter } from '../../src/app/list/useRecords';
import * as toolbarStyles from '../../src/app/list/toolbar.module.css';
import { FailedState } from '../../src/app/states/FailedState';
import { phone } from '../../src/app/theme/overrides';
import { toggled } from '../add-tests/selection';
import type { ChosenCase, TestCases } from '../add-tests/useChoices';
import { ResultGlyph } from '../results/ResultNumbers';
import { resultText } from '../results/results';
import { resultWord } from '../run-overview/groups';
import { resultLabels } from '../test-runner/runnerApi';
import { treeRows, type Branch } from './caseTree';
import type { TestTime } from './newRunApi';
import type { SecondsOf } from './runPlan';
import * as styles from './new-run.module.css';

/** Which test cases are offered. */
export type CaseFilter = 'all' | 'failed' | 'changed';

interface CaseTreeProps extends TestCases {
  times: ReadonlyMap<number, TestTime>;
  secondsOf: SecondsOf;
  selected: ReadonlySet<number>;
  onSelect: (selected: ReadonlySet<number>) => void;
}

const rowHeight = 36;
const failures: ReadonlySet<string> = new Set(['failed', 'broken', 'blocked']);

const passesFilter = (time: TestTime | undefined, filter: CaseFilter): boolean =>
  filter === 'all' || (filter === 'failed' ? failures.has(time?.result ?? '') : (time?.is_changed ?? false));

/** The test cases of a project as a tree of modules, narrowed by a search and filters; whole branches can be chosen. */
export function CaseTree({
  cases,
  isLoading,
  error,
  retry,
  times,
  secondsOf,
  selected,
  onSelect,
  ...list
}: CaseTreeProps) {
  const { definition, state, change, inputs } = list;
  const isPhone = useMediaQuery(phone, { noSsr: true });
  const [filter, setFilter] = useState<CaseFilter>('all');
  const [closedBranches, setClosedBranches] = useState<ReadonlySet<string>>(new Set());
  const box = useRef<HTMLDivElement>(null);
  const visibleCases = useMemo(
    () => (cases ?? []).filter(({ id }) => passesFilter(times.get(id), filter)),
    [cases, filter, times],
  );
  const rows = useMemo(() => treeRows(visibleCases, closedBranches), [closedBranches, visibleCases]);
  const count = (name: CaseFilter) => (cases ?? []).filter(({ id }) => passesFilter(times.get(id), name)).length;
  // The library changes its instance and not the rows, which is what the rule of the compiler is about.
  // oxlint-disable-next-line react/incompatible-library
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => {
      const row = itemAt(rows, index);
      return 'branch' in row ? `branch ${row.branch.key}` : row.testCase.id;
    },
    overscan: 12,
  });
  const filters = [
    { value: 'all', label: 'All' },
    { value: 'failed', label: 'Failed last' },
    { value: 'changed', label: 'Changed' },
  ] as const;
  return (
    <ResourceListProvider {...{ definition, state, change, inputs, isPhone }} view="list" fixedValues={noFixedFilter}>
      <section className={styles.cases} aria-label="Test cases" aria-busy={isLoading}>
        <div className={styles.tools} role="toolbar" aria-label="Test cases to choose from">
          <OutlinedInput
            size="small"
            sx={{ flex: '0 1 216px' }}
            placeholder={cases ? `Search ${formatNumber(cases.length)} cases` : 'Search cases'}
            value={state.q}
            onChange={(event) => change((stateBefore) => ({ ...stateBefore, q: event.target.value }))}
            startAdornment={
              <InputAdornment position="start">
                <Icon name="search" />
              </InputAdornment>
            }
            slotProps={{ input: { type: 'search', 'aria-label': 'Search test cases' } }}
          />
          <FiltersButton />
          <span className={toolbarStyles.listGrow} />
          <span className={toolbarStyles.listViews} role="group" aria-label="Show">
            {filters.map(({ value, label }) => (
              <button key={value} type="button" aria-pressed={filter === value} onClick={() => setFilter(value)}>
                {label} {value !== 'all' && <span className="num">{formatNumber(count(value))}</span>}
              </button>
            ))}
          </span>
        </div>
        <AppliedFilters />
        {error ? (
          <FailedState title="The test cases could not be loaded" message={error.message} onRetry={retry} />
        ) : (
          <div className={styles.scroll} ref={box}>
            {cases && visibleCases.length === 0 && <p className={styles.nothing}>No test case fits.</p>}
            <ul style={{ height: virtual.getTotalSize() }}>
              {virtual.getVirtualItems().map(({ key, index, start }) => {
                const row = itemAt(rows, index);
                const style = { height: rowHeight, transform: `translateY(${start}px)` };
                return 'branch' in row ? (
                  <BranchRow
                    key={key}
                    {...{ style, selected, onSelect }}
                    branch={row.branch}
                    isOpen={!closedBranches.has(row.branch.key)}
                    onToggle={() => setClosedBranches(toggled(closedBranches, row.branch.key))}
                  />
                ) : (
                  <CaseRow
                    key={key}
                    {...{ style, selected, onSelect }}
                    testCase={row.testCase}
                    depth={row.depth}
                    time={times.get(row.testCase.id)}
                    seconds={secondsOf(row.testCase.id)}
                  />
                );
              })}
            </ul>
          </div>
        )}
      </section>
    </ResourceListProvider>
  );
}

interface RowProps {
  style: React.CSSProperties;
  selected: ReadonlySet<number>;
  onSelect: (selected: ReadonlySet<number>) => void;
}

interface BranchRowProps extends RowProps {
  branch: Branch;
  isOpen: boolean;
  onToggle: () => void;
}

function BranchRow({ branch: { name, depth, cases }, isOpen, onToggle, style, selected, onSelect }: BranchRowProps) {
  const ids = cases.map(({ id }) => id);
  const count = ids.filter((id) => selected.has(id)).length;
  const isAll = count === ids.length;
  const words =
    count === 0
      ? 'none'
      : isAll
        ? `all ${formatNumber(count)}`
        : `${formatNumber(count)} of ${formatNumber(ids.length)}`;
  const toggle = () => {
    const branchIds = new Set(ids);
    onSelect(new Set(isAll ? [...selected].filter((id) => !branchIds.has(id)) : [...selected, ...ids]));
  };
  return (
    <li className={styles.branch} data-depth={depth} style={style}>
      <button type="button" aria-expanded={isOpen} aria-label={name} onClick={onToggle}>
        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} size={14} />
      </button>
      <label>
        <Checkbox
          size="small"
          checked={isAll}
          indeterminate={count > 0 && !isAll}
          onChange={toggle}
          slotProps={{ input: { 'aria-label': `All of ${name}` } }}
        />
        <b>{name}</b>
        <small className="num">{formatNumber(ids.length)}</small>
      </label>
      <small className="num">{words}</small>
    </li>
  );
}

interface CaseRowProps extends RowProps {
  testCase: ChosenCase;
  depth: number;
  time: TestTime | undefined;
  seconds: number;
}

function CaseRow({ testCase, depth, time, seconds, style, selected, onSelect }: CaseRowProps) {
  const { registry } = useDefinitions();
  const { id, key, name, priority } = testCase;
  const result = time?.result ?? 'not_run';
  return (
    <li className={styles.case} data-depth={depth} style={style}>
      <label>
        <Checkbox size="small" checked={selected.has(id)} onChange={() => onSelect(toggled(selected, id))} />
        <span className={styles.key}>{key}</span>
        <span className={styles.name} title={name}>
          {name}
        </span>
      </label>
      <span className={styles.priority}>
        {priority && <RecordChip definition={registry.get('priorities')} record={priority} />}
      </span>
      <span className={styles.result} style={resultText(resultWord(result), 't3')}>
        <ResultGlyph result={resultWord(result)} />
        {resultLabels[result]}
      </span>
      <small className="num" title={time?.seconds ? 'The mean of its earlier times' : 'Its time is not known yet'}>
        {Math.max(1, Math.round(seconds / 60))} min
      </small>
    </li>
  );
}
