import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import { useQueryClient } from '@tanstack/react-query';
import { useNotify } from 'react-admin';
import { Link } from 'react-router-dom';
import { formatInstant } from '../../src/engine/formats/dates';
import { Icon } from '../../src/app/icons/Icon';
import * as toolbarStyles from '../../src/app/list/toolbar.module.css';
import type { ComparedResult, ComparedRun, ComparedTest } from '../../src/product/answers/run-comparison';
import { ResultGlyph } from '../results/ResultNumbers';
import { resultText } from '../results/results';
import { resultWord } from '../run-overview/groups';
import { emptyDraft } from '../test-runner/draft';
import { fetchEntry, resultLabels, type Result, type Run } from '../test-runner/runnerApi';
import { useDefect } from '../test-runner/useDefect';
import { DefectLink, describeAge, formatClock } from './ComparedTests';
import { causes, useSetCause } from './comparisonApi';
import * as styles from './run-comparison.module.css';

interface FailurePanelProps {
  test: ComparedTest;
  /** The later run. */
  run: Run;
  runs: readonly ComparedRun[];
  /** Whether the user may say why it failed. */
  mayExplain: boolean;
  onClose: () => void;
}

/** Both results of a test, and why it failed: said once, it is carried on to the same failure of later runs. */
export function FailurePanel({ test, run, runs, mayExplain, onClose }: FailurePanelProps) {
  const { first, second, age } = test;
  return (
    <aside className={styles.details} aria-label={test.name}>
      <header>
        <b>{test.key ?? 'Test'}</b>
        {second && (
          <IconButton
            size="small"
            component={Link}
            to={`/test-runs/${run.id}/run?entry=${second.id}`}
            aria-label="Open the test"
          >
            <Icon name="external" />
          </IconButton>
        )}
        <IconButton size="small" aria-label="Close" onClick={onClose}>
          <Icon name="close" />
        </IconButton>
      </header>
      <h2>{test.name}</h2>
      {[first, second].map(
        (result, index) => result && <ResultFacts key={result.id} result={result} run={runs[index]} />,
      )}
      {age && second && <CauseFacts key={second.id} {...{ test, run, mayExplain }} entry={second.id} />}
    </aside>
  );
}

function ResultFacts({ result, run }: { result: ComparedResult; run: ComparedRun | undefined }) {
  const word = resultWord(result.result as Result);
  return (
    <section>
      <small>
        {[run?.key, result.person, result.run_at && formatInstant(result.run_at)].filter(Boolean).join(', ')}
      </small>
      <p className={styles.found} style={resultText(word, 't2')}>
        <ResultGlyph result={word} />
        {resultLabels[result.result as Result]}
        {result.seconds !== null && <small className="num">{formatClock(result.seconds)}</small>}
      </p>
      {result.comment && <p>{result.comment}</p>}
    </section>
  );
}

interface CauseFactsProps extends Pick<FailurePanelProps, 'test' | 'run' | 'mayExplain'> {
  entry: number;
}

function CauseFacts({ test, run, mayExplain, entry }: CauseFactsProps) {
  const setCause = useSetCause();
  const notify = useNotify();
  const queryClient = useQueryClient();
  const { create } = useDefect(run, () => void queryClient.invalidateQueries());
  const openDefect = create
    ? () =>
        void fetchEntry(entry, new AbortController().signal).then(
          (details) => create(details, emptyDraft),
          (error: Error) => notify(error.message, { type: 'error' }),
        )
    : undefined;
  const { cause, defect, carried_from, age } = test;
  const words = causes.find(({ value }) => value === cause)?.label;
  const carriedKeys = [...new Set([carried_from, defect?.carried_from])].filter(Boolean).join(' and ');
  return (
    <section>
      <h3 id="cause-of-failure">Cause</h3>
      {mayExplain ? (
        <span className={toolbarStyles.listViews} role="group" aria-labelledby="cause-of-failure">
          {causes.map(({ value, label }) => (
            <button
              key={value}
              type="button"
              aria-pressed={cause === value}
              disabled={setCause.isPending}
              onClick={() => setCause.mutate({ entry, cause: cause === value && carried_from === null ? null : value })}
            >
              {label}
            </button>
          ))}
        </span>
      ) : (
        <p>{words ?? 'No cause yet'}</p>
      )}
      {defect ? (
        <p>
          <DefectLink defect={defect} />
        </p>
      ) : (
        openDefect &&
        mayExplain && (
          <Button variant="outlined" startIcon={<Icon name="bug" />} onClick={openDefect}>
            Create defect
          </Button>
        )
      )}
      <small role="status">
        {carriedKeys
          ? `Carried on from ${carriedKeys}, since it fails in every run from there on.`
          : cause || defect
            ? 'It is carried on to later runs as long as the test fails there and the defect is open.'
            : mayExplain
              ? 'Said once, it is carried on to the same failure of later runs.'
              : run.state === 'closed' && 'This run is closed. Reopen it to say why the test failed.'}
      </small>
      {age && age.runs > 1 && (
        <small>
          Fails since {age.since}: {describeAge(test)}
        </small>
      )}
    </section>
  );
}
