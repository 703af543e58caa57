import Popover from '@mui/material/Popover';
import { useState } from 'react';
import { percentOf } from '../../src/engine/formats/shares';
import { formatNumber } from '../../src/engine/formats/numbers';
import { shortDay } from '../../src/engine/formats/dates';
import { Initials } from '../../src/app/chips/Initials';
import { localToday } from '../../src/app/data/localTime';
import { Row } from '../../src/app/layout/Row';
import { ResultBar, ResultNumbers } from '../results/ResultNumbers';
import { Burndown } from './Burndown';
import { describeDays } from './describeDays';
import { formatSeconds } from './formatSeconds';
import type { Overview, OverviewEntry, OverviewRun } from './overviewApi';
import { Sparkline } from './Sparkline';
import * as styles from './run-overview.module.css';

interface RunCardProps {
  run: OverviewRun;
  overview: Overview;
  entries: readonly OverviewEntry[];
}

/** How far a run is: its results as a bar and in words, who runs it, what is left, and its burndown on request. */
export function RunCard({ run, overview, entries }: RunCardProps) {
  const { counts, total } = overview;
  const runCount = total - counts.not_run;
  return (
    <section className={styles.card} aria-label="Results">
      <div className={styles.results}>
        <Row spacing={3.5}>
          <span className={styles.bar}>
            <ResultBar counts={counts} size="large" />
          </span>
          {total > 0 && (
            <b className={`${styles.share} num`} title={`${formatNumber(runCount)} of ${formatNumber(total)} run`}>
              {percentOf(runCount, total)}%
            </b>
          )}
        </Row>
        <div className={styles.numbers}>
          <ResultNumbers counts={counts} isSentence />
          <span className={styles.grow} />
          <Faces entries={entries} />
          <DescribedRest {...{ run, overview }} today={localToday()} />
        </div>
      </div>
      <BurndownButton run={run} overview={overview} />
    </section>
  );
}

/** The tests that are left, how long they take by earlier times, and until when; in a narrow window in fewer words. */
function DescribedRest({ run, overview, today }: { run: OverviewRun; overview: Overview; today: string }) {
  const { total, counts, remaining_seconds } = overview;
  const isClosed = run.state === 'closed';
  const dueDate = isClosed ? undefined : (run.due_on ?? run.milestone?.due_on);
  const timeText = isClosed || remaining_seconds === null ? '' : `about ${formatSeconds(remaining_seconds)}`;
  const dayText = dueDate && `due ${shortDay(dueDate, today)}`;
  const restText =
    total === 0
      ? 'No tests yet'
      : counts.not_run === 0
        ? 'All run'
        : [`${formatNumber(counts.not_run)} ${isClosed ? 'not run' : 'left'}`, timeText].filter(Boolean).join(', ');
  const longText = [restText, dueDate && `${dayText}${describeDays(dueDate, today)}`].filter(Boolean).join(' · ');
  const shortText = [counts.not_run > 0 && timeText ? timeText : restText, dayText].filter(Boolean).join(' · ');
  return (
    <>
      <span className={styles.long}>{longText}</span>
      <span className={styles.short}>{shortText}</span>
    </>
  );
}

const maxFaces = 5;

/** The people who have tests of the run. */
function Faces({ entries }: { entries: readonly OverviewEntry[] }) {
  const names = [...new Set(entries.flatMap(({ assigned: assignee }) => (assignee ? [assignee.name] : [])))];
  if (names.length === 0) return null;
  return (
    <span className={styles.faces} role="img" aria-label={names.join(', ')} title={names.join(', ')}>
      {names.slice(0, maxFaces).map((name) => (
        <Initials key={name} name={name} />
      ))}
      {names.length > maxFaces && <small className="num">+{formatNumber(names.length - maxFaces)}</small>}
    </span>
  );
}

/** The burndown as a small line, and in full when it is pressed. */
function BurndownButton({ run, overview }: { run: OverviewRun; overview: Overview }) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [now] = useState(() => Date.now());
  return (
    <>
      <button
        type="button"
        className={styles.sparkline}
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <Sparkline {...{ run, overview, now }} />
        <span>Burndown</span>
      </button>
      <Popover
        open={anchor !== null}
        anchorEl={anchor}
        onClose={() => setAnchor(null)}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
        transformOrigin={{ vertical: -4, horizontal: 'right' }}
        slotProps={{ paper: { role: 'dialog', 'aria-label': 'Burndown', sx: { width: 420 } } }}
      >
        <Burndown {...{ run, overview, now }} />
      </Popover>
    </>
  );
}
