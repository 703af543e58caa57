import Checkbox from '@mui/material/Checkbox';
import InputAdornment from '@mui/material/InputAdornment';
import OutlinedInput from '@mui/material/OutlinedInput';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { formatNumber } from '../../src/engine/formats/numbers';
import { itemAt } from '../../src/engine/values/lookups';
import { Icon } from '../../src/app/icons/Icon';
import { AppliedFilters } from '../../src/app/list/AppliedFilters';
import { FiltersButton } from '../../src/app/list/filters/FiltersButton';
import { ResourceListProvider } from '../../src/app/list/ResourceList';
import { noFixedFilter } from '../../src/app/list/useRecords';
import * as toolbarStyles from '../../src/app/list/toolbar.module.css';
import { FailedState } from '../../src/app/states/FailedState';
import { phone } from '../../src/app/theme/overrides';
import { toggled } from './selection';
import type { TestCases } from './useChoices';
import * as styles from './add-tests.module.css';

interface CaseListProps extends TestCases {
  selected: ReadonlySet<number>;
  onSelect: (selected: ReadonlySet<number>) => void;
}

const rowHeight = 40;

/** The test cases of the project, narrowed by filters and a search, each to be selected, or all that are shown. */
export function CaseList({ cases, isLoading, error, retry, selected, onSelect, ...list }: CaseListProps) {
  const { definition, state, change, inputs } = list;
  const isPhone = useMediaQuery(phone, { noSsr: true });
  const box = useRef<HTMLDivElement>(null);
  const visibleCases = cases ?? [];
  // The library changes its instance and not the rows, which is what the rule of the compiler is about.
  // oxlint-disable-next-line react/incompatible-library
  const virtual = useVirtualizer({
    count: visibleCases.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => itemAt(visibleCases, index).id,
    overscan: 12,
  });
  const selectedCount = visibleCases.filter(({ id }) => selected.has(id)).length;
  const isAll = visibleCases.length > 0 && selectedCount === visibleCases.length;
  const selectShown = () => {
    const next = new Set(selected);
    for (const { id } of visibleCases) {
      if (isAll) next.delete(id);
      else next.add(id);
    }
    onSelect(next);
  };
  return (
    <ResourceListProvider {...{ definition, state, change, inputs, isPhone }} view="list" fixedValues={noFixedFilter}>
      <section className={styles.cases} aria-label="Test cases" aria-busy={isLoading}>
        <div className={styles.tools} role="toolbar" aria-label="Test cases to choose from">
          <OutlinedInput
            size="small"
            sx={{ flex: '0 1 272px' }}
            placeholder="Search test cases"
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
          <span className="num" role="status">
            {formatNumber(selected.size)} selected
          </span>
        </div>
        <AppliedFilters />
        {error ? (
          <FailedState title="The test cases could not be loaded" message={error.message} onRetry={retry} />
        ) : (
          <>
            <label className={styles.all}>
              <Checkbox
                size="small"
                disabled={visibleCases.length === 0}
                checked={isAll}
                indeterminate={selectedCount > 0 && !isAll}
                onChange={selectShown}
              />
              All {cases ? formatNumber(visibleCases.length) : ''} shown
            </label>
            <div className={styles.scroll} ref={box}>
              {cases?.length === 0 && <p className={styles.nothing}>No test case fits.</p>}
              <ul style={{ height: virtual.getTotalSize() }}>
                {virtual.getVirtualItems().map(({ key, index, start }) => {
                  const testCase = itemAt(visibleCases, index);
                  return (
                    <li key={key} style={{ height: rowHeight, transform: `translateY(${start}px)` }}>
                      <label>
                        <Checkbox
                          size="small"
                          checked={selected.has(testCase.id)}
                          onChange={() => onSelect(toggled(selected, testCase.id))}
                        />
                        <span className={`${styles.key} num`}>{testCase.key}</span>
                        <span className={styles.name} title={testCase.name}>
                          {testCase.name}
                        </span>
                        {testCase.module && <small>{testCase.module.name}</small>}
                      </label>
                    </li>
                  );
                })}
              </ul>
            </div>
          </>
        )}
      </section>
    </ResourceListProvider>
  );
}
