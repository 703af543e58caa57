import { useEffect, useRef } from 'react';
import { Link } from 'react-router-dom';
import type { ComparedResult, ComparedTest, TestChange } from '../../src/product/answers/run-comparison';
import { formatNumber } from '../../src/engine/formats/numbers';
import { recordPath } from '../../src/engine/lists/row-actions';
import { useDefinitions } from '../../src/app/data/DefinitionsContext';
import { Icon } from '../../src/app/icons/Icon';
import { ResultGlyph } from '../results/ResultNumbers';
import { resultText } from '../results/results';
import { resultWord } from '../run-overview/groups';
import { resultLabels, type Result } from '../test-runner/runnerApi';
import { causes } from './comparisonApi';
import * as styles from './run-comparison.module.css';

interface ComparedTestsProps {
  tests: readonly ComparedTest[];
  /** The test of the compared run, or else of the base, whose details are shown. */
  chosenId: number | undefined;
  baseKey: string | null;
  onChoose: (entry: number) => void;
}

/** The id by which a compared test is chosen. */
export const entryOf = ({ second, first }: ComparedTest): number | undefined => (second ?? first)?.id;

interface Group {
  readonly changes: readonly TestChange[];
  readonly name: string;
  readonly note?: (baseKey: string) => string;
}

const groups: readonly Group[] = [
  { changes: ['new_failure'], name: 'New failures', note: (key) => `did not fail in ${key}` },
  { changes: ['still_failing'], name: 'Still failing', note: () => 'the cause is carried on' },
  { changes: ['fixed'], name: 'Fixed', note: (key) => `failed in ${key}` },
  { changes: ['other', 'added', 'removed'], name: 'Other changes' },
  { changes: ['duration'], name: 'Changed duration', note: () => 'by more than half' },
  { changes: ['same'], name: 'Unchanged' },
];

/** The tests in the order in which they are shown. */
export const inShownOrder = (tests: readonly ComparedTest[]): readonly ComparedTest[] =>
  groups.flatMap(({ changes }) => tests.filter(({ change }) => changes.includes(change)));

/** The tests by what changed, each with both results, its age, its cause and its defect. */
export function ComparedTests({ tests, chosenId, baseKey, onChoose }: ComparedTestsProps) {
  const chosenItem = useRef<HTMLLIElement>(null);
  // Browsers answer a promise, which is nothing to clean up.
  useEffect(() => void chosenItem.current?.scrollIntoView?.({ block: 'nearest' }), [chosenId]);
  return groups.map(({ changes, name, note }) => {
    const members = tests.filter(({ change }) => changes.includes(change));
    if (members.length === 0) return null;
    return (
      <section key={name} className={styles.group} aria-label={name}>
        <h2>
          {name} <small className="num">{formatNumber(members.length)}</small>{' '}
          {note && baseKey !== null && <small>{note(baseKey)}</small>}
        </h2>
        <ul>
          {members.map((test) => {
            const id = entryOf(test);
            return (
              <li key={id} ref={id === chosenId ? chosenItem : undefined} data-chosen={id === chosenId || undefined}>
                <span className={styles.key}>{test.key}</span>
                <button type="button" aria-pressed={id === chosenId} onClick={() => id !== undefined && onChoose(id)}>
                  {test.name}
                  {test.configuration && <small>{test.configuration}</small>}
                </button>
                <span className={styles.results}>
                  <Found result={test.first} isTime={test.change === 'duration'} />
                  <Icon name="arrow-right" size={14} label="then" />
                  <Found result={test.second} isTime={test.change === 'duration'} />
                </span>
                <small>{describeAge(test)}</small>
                <CauseText test={test} />
              </li>
            );
          })}
        </ul>
      </section>
    );
  });
}

function Found({ result, isTime }: { result: ComparedResult | null; isTime: boolean }) {
  if (!result) return <span className={styles.found}>not in the run</span>;
  if (isTime) return <span className="num">{formatClock(result.seconds ?? 0)}</span>;
  const word = resultWord(result.result as Result);
  return (
    <span className={styles.found} style={resultText(word, 't2')}>
      <ResultGlyph result={word} />
      {resultLabels[result.result as Result]}
    </span>
  );
}

/** Seconds as they stand in tables: `4:10`. */
export function formatClock(seconds: number): string {
  const wholeSeconds = Math.round(seconds);
  return `${Math.floor(wholeSeconds / 60)}:${String(wholeSeconds % 60).padStart(2, '0')}`;
}

/** For how long a test fails, or by how much its time changed. */
export function describeAge({ age, change, first, second }: ComparedTest): string {
  if (change === 'duration') {
    const difference = (second?.seconds ?? 0) - (first?.seconds ?? 0);
    return `${difference > 0 ? '+' : '−'}${formatClock(Math.abs(difference))}`;
  }
  if (!age) return '';
  if (age.runs <= 1) return 'new';
  return `${formatNumber(age.runs)} runs, ${age.days === 1 ? 'one day' : `${formatNumber(age.days)} days`}`;
}

/** The name of a defect, by which it is opened. */
export function DefectLink({ defect }: { defect: { readonly id: number; readonly name: string } }) {
  const { registry } = useDefinitions();
  return <Link to={recordPath(registry.getOrThrow('tasks'), defect)}>{defect.name}</Link>;
}

function CauseText({ test: { cause, defect, carried_from, age } }: { test: ComparedTest }) {
  if (!age) return <span />;
  const words = causes.find(({ value }) => value === cause)?.label;
  return (
    <span className={styles.cause}>
      {words ?? (defect ? '' : 'No cause yet')}
      {carried_from && carried_from !== defect?.carried_from && <small>from {carried_from}</small>}
      {defect && <DefectLink defect={defect} />}
      {defect?.carried_from && <small>from {defect.carried_from}</small>}
    </span>
  );
}
