import InputAdornment from '@mui/material/InputAdornment';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { formatNumber } from '../../src/engine/formats/numbers';
import { propertyOf } from '../../src/engine/values/lookups';
import { Icon } from '../../src/app/icons/Icon';
import { ResultIcon } from '../test-runner/ResultIcon';
import type { CiResults } from '../../src/product/answers/ci-results';
import { isSecondKey } from '../../src/app/commands/useCommandKeys';
import type { Build } from './ciApi';
import { matchesSearch, groupByCause, testsOf, type CiTab, type TestGroup } from './groups';
import { TestDetail } from './TestDetail';
import * as styles from './ci-results.module.css';

const tabs: readonly { name: CiTab; label: string }[] = [
  { name: 'failures', label: 'Failures' },
  { name: 'flaky', label: 'Flaky' },
  { name: 'new', label: 'New' },
];

/** The tests of a build by cause, and the one that is chosen. */
export function BuildTests({ build, results }: { build: Build; results: CiResults }) {
  const [tab, setTab] = useState<CiTab>('failures');
  const [search, setSearch] = useState('');
  const [currentKey, setCurrentKey] = useState<string>();
  const searchBox = useRef<HTMLInputElement>(null);
  const counts = useMemo(
    () => Object.fromEntries(tabs.map(({ name }) => [name, testsOf(results.results, name).length])),
    [results],
  );
  const causes = useMemo(
    () => groupByCause(testsOf(results.results, tab).filter((test) => matchesSearch(test, search))),
    [results, search, tab],
  );
  const visibleTests = causes.flatMap(({ tests }) => tests);
  const currentIndex = Math.max(
    0,
    visibleTests.findIndex(({ key }) => key === currentKey),
  );
  const current = visibleTests[currentIndex];
  const move = (steps: number) =>
    setCurrentKey(visibleTests[Math.min(Math.max(currentIndex + steps, 0), visibleTests.length - 1)]?.key);
  useListKeys({ next: () => move(1), previous: () => move(-1), find: () => searchBox.current?.focus() });
  const total = Object.values(results.counts).reduce((sum, count) => sum + count, 0);
  return (
    <>
      <div className={styles.resultTabs} role="group" aria-label="Results">
        {tabs.map(({ name, label }) => (
          <button key={name} type="button" aria-pressed={name === tab} onClick={() => setTab(name)}>
            {label} <span className="num">({formatNumber(propertyOf(counts, name))})</span>
          </button>
        ))}
        <Link to={`/test-runs/${build.id}`}>
          All <span className="num">({formatNumber(total)})</span>
        </Link>
      </div>
      <div className={styles.panes}>
        <section className={styles.tests} aria-label="Tests by cause">
          <div className={styles.find}>
            <OutlinedInput
              size="small"
              fullWidth
              placeholder="Search tests"
              value={search}
              inputRef={searchBox}
              onChange={(event) => setSearch(event.target.value)}
              onKeyDown={(event) => {
                if (event.key !== 'Escape') return;
                setSearch('');
                searchBox.current?.blur();
              }}
              startAdornment={
                <InputAdornment position="start">
                  <Icon name="search" />
                </InputAdornment>
              }
              slotProps={{ input: { type: 'search', 'aria-label': 'Search tests' } }}
            />
          </div>
          {visibleTests.length === 0 && <p className={styles.nothing}>{emptyTexts[tab]}</p>}
          {causes.map(({ title, tests }) => (
            <section key={title} className={styles.cause}>
              <h2>
                <span title={title}>{title}</span>
                <small className="num">{formatNumber(tests.length)}</small>
              </h2>
              {tests.map((test) => (
                <TestRow
                  key={test.key}
                  test={test}
                  isCurrent={test.key === current?.key}
                  onOpen={() => setCurrentKey(test.key)}
                />
              ))}
            </section>
          ))}
        </section>
        {current && <TestDetail key={current.key} build={build} group={current} />}
      </div>
    </>
  );
}

const emptyTexts: Readonly<Record<CiTab, string>> = {
  failures: 'Nothing failed.',
  flaky: 'No test had to be repeated.',
  new: 'Nothing failed that passed before.',
};

interface TestRowProps {
  test: TestGroup;
  isCurrent: boolean;
  onOpen: () => void;
}

function TestRow({ test: { first, results, isNew }, isCurrent, onOpen }: TestRowProps) {
  const row = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isCurrent) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isCurrent]);
  const configurations = results.flatMap(({ configuration }) => (configuration === null ? [] : [configuration]));
  const file = first.test?.file?.split('/').at(-1) ?? first.test?.suite;
  return (
    <button ref={row} type="button" className={styles.test} aria-current={isCurrent || undefined} onClick={onOpen}>
      <ResultIcon result={first.result} />
      <span className={styles.testName}>
        <b>{first.name}</b>
        <small>{[file, configurations.join(', ')].filter(Boolean).join(' · ')}</small>
      </span>
      <span className={styles.marks}>
        {isNew && <i data-mark="new">New</i>}
        {first.test?.quarantined_until && <i>Quarantined</i>}
        {first.test_case ? <small className="num">{first.test_case.key}</small> : <i data-mark="none">No case</i>}
      </span>
    </button>
  );
}

function useListKeys(commands: { next: () => void; previous: () => void; find: () => void }): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const { key, target } = event;
    const isText = target instanceof Element && target.matches('input, textarea, select, [contenteditable=true]');
    const isBusy = document.querySelector('[role=dialog], [role=menu]') !== null;
    if (
      event.defaultPrevented ||
      isSecondKey(event) ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      isText ||
      isBusy
    )
      return;
    const keys: Readonly<Record<string, () => void>> = { j: commands.next, k: commands.previous, '/': commands.find };
    const command = keys[key.toLowerCase()];
    if (!command) return;
    event.preventDefault();
    command();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => press(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
}
