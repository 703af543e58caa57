import Button from '@mui/material/Button';
import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { useDefinitions } from '../../src/app/data/DefinitionsContext';
import { StripOfRecords } from '../../src/app/fields/inverse/Strip';
import { Icon } from '../../src/app/icons/Icon';
import type { ResourceRecord } from '../../src/engine/definitions/definition';
import { formatInstant } from '../../src/engine/formats/dates';
import { firstOf } from '../../src/engine/values/lookups';
import { useEvaluationContext } from '../../src/app/data/useEvaluationContext';
import { useDefect } from '../defect/useDefect';
import { StoredEvidence } from '../evidence/StoredEvidence';
import { filesOfAttempt } from '../evidence/storedFiles';
import { resultText } from '../results/results';
import { CaseBar } from './CaseBar';
import { fetchExecutedCases, fetchTest, type Build, type ExecutedCase } from './ciApi';
import type { TestGroup } from './groups';
import { QuarantineBar } from './QuarantineBar';
import * as styles from './ci-results.module.css';

const quiet = { retry: false, meta: { quiet: true } } as const;

/** The details of a test in a build: its test case, quarantine, attempts, message, and its last runs. */
export function TestDetail({ build, group: { first } }: { build: Build; group: TestGroup }) {
  const { test } = first;
  const { registry } = useDefinitions();
  const executed = useQuery({
    queryKey: ['attempts', 'of-build', build.id, first.id],
    queryFn: ({ signal }) => fetchExecutedCases(build.id, first, signal),
    ...quiet,
  });
  const automated = useQuery({
    queryKey: ['automated-tests', 'ci', test?.id],
    queryFn: test ? ({ signal }) => fetchTest(test.id, signal) : skipToken,
    ...quiet,
  });
  const error = executed.error ?? automated.error;
  const failing = executed.data
    ?.flatMap(({ attempts }) => attempts)
    .findLast(({ result }) => result === 'failed' || result === 'broken');
  const message = failing?.message ?? first.message;
  return (
    <section className={styles.detail} aria-label={first.name}>
      <div className={styles.detailHead}>
        <code>{[test?.file, test?.suite].filter(Boolean).join(' › ')}</code>
        {registry.get('tasks') && <DefectButton build={build} entry={first.id} />}
      </div>
      <h2>{first.name}</h2>
      {test && (
        <div className={styles.facts}>
          <CaseBar result={first} test={test.id} />
          {automated.data && <QuarantineBar build={build} test={automated.data} />}
        </div>
      )}
      {error && <p role="alert">{error.message}</p>}
      <h3>Attempts</h3>
      {executed.data && <AttemptsAxis executed={executed.data} />}
      <h3>Message</h3>
      <pre className={styles.message} tabIndex={0}>
        <b>{message ?? 'The report has no message.'}</b>
        {failing?.details && failing.details !== message && `\n${withoutMessage(failing.details, message)}`}
      </pre>
      {failing?.output && (
        <>
          <h3>Output</h3>
          <pre className={styles.message} tabIndex={0}>
            {failing.output}
          </pre>
        </>
      )}
      {executed.data && <EvidenceOfAttempts executed={executed.data} />}
      {automated.data && <LastRuns runs={automated.data.recent} />}
    </section>
  );
}

const withoutMessage = (details: string, message: string | null): string =>
  message !== null && details.startsWith(message) ? details.slice(message.length).trimStart() : details;

const outcomes: Readonly<Record<string, string>> = {
  passed: 'passed',
  failed: 'failed',
  broken: 'broken',
  skipped: 'skipped',
  flaky: 'failed, passed on retry',
};

/** The attempts one after the other, on the same axis for every configuration. */
function AttemptsAxis({ executed }: { executed: readonly ExecutedCase[] }) {
  const longest = Math.max(...executed.map(({ attempts }) => secondsOf(attempts)), 0.001);
  return (
    <dl className={styles.attempts}>
      {executed.map(({ id, configuration, attempts, result }) => (
        <div key={id}>
          <dt title={configuration}>{configuration}</dt>
          <dd className={styles.axis}>
            {attempts.map((attempt, index) => {
              const seconds = attempt.elapsed_seconds ?? 0;
              const words = `${index + 1}: ${seconds.toFixed(1)} s`;
              return (
                <span
                  key={attempt.id}
                  data-result={attempt.result}
                  style={{ width: `${Math.max((100 * seconds) / longest, 2)}%` }}
                  title={`${words}, ${outcomes[attempt.result] ?? attempt.result}`}
                >
                  {words}
                </span>
              );
            })}
          </dd>
          <dd style={resultText(result, 't2')}>
            {outcomes[result] ?? result}
            {attempts.length > 1 &&
              result !== 'flaky' &&
              ` ${attempts.filter((attempt) => attempt.result === result).length} of ${attempts.length}`}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The files that came with attempts, by the configuration and number of each. */
function EvidenceOfAttempts({ executed }: { executed: readonly ExecutedCase[] }) {
  const withFiles = executed.flatMap(({ id, configuration, attempts }) =>
    attempts.flatMap((attempt, index) => {
      const files = filesOfAttempt(attempt);
      const words = [executed.length > 1 && configuration, attempts.length > 1 && `Attempt ${index + 1}`];
      return files.length > 0 ? [{ key: `${id} ${attempt.id}`, words: words.filter(Boolean).join(', '), files }] : [];
    }),
  );
  if (withFiles.length === 0) return null;
  return (
    <>
      <h3>Evidence</h3>
      <ul className={styles.evidenceOfTest} aria-label="Evidence">
        {withFiles.map(({ key, words, files }) => (
          <li key={key}>
            {words && <small>{words}</small>}
            <StoredEvidence files={files} size="large" />
          </li>
        ))}
      </ul>
    </>
  );
}

const secondsOf = (attempts: ExecutedCase['attempts']): number =>
  attempts.reduce((sum, { elapsed_seconds }) => sum + (elapsed_seconds ?? 0), 0);

function LastRuns({ runs }: { runs: readonly ResourceRecord[] }) {
  const { registry } = useDefinitions();
  const { timeZone } = useEvaluationContext();
  const recent = registry.get('automated-tests')?.fields.recent;
  if (!recent?.inverse || runs.length === 0) return null;
  return (
    <>
      <h3>{runs.length === 1 ? 'The only run' : `Last ${runs.length} runs`}</h3>
      <div className={styles.history}>
        <StripOfRecords field={recent} records={runs} registry={registry} />
        <small>Since {formatInstant(String(firstOf(runs).run_at), timeZone)}</small>
      </div>
    </>
  );
}

/** Opens the dialog of a defect that is filled with what is known of the failure; the task then stands at the result. */
function DefectButton({ build, entry }: { build: Build; entry: number }) {
  const queryClient = useQueryClient();
  const { create } = useDefect(build, () => void queryClient.invalidateQueries({ queryKey: ['run-entries'] }));
  if (!create) return null;
  return (
    <Button variant="outlined" startIcon={<Icon name="bug" />} onClick={() => create(entry)}>
      Create defect
    </Button>
  );
}
