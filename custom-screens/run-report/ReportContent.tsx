import { dayInTimeZone, formatDate, formatInstant } from '../../src/engine/formats/dates';
import { formatNumber } from '../../src/engine/formats/numbers';
import { SharedFact } from '../../src/app/shared/SharedSection';
import * as sharedStyles from '../../src/app/shared/shared.module.css';
import { ResultNumbers, ShortNumbers, ResultBar } from '../results/ResultNumbers';
import { formatSeconds } from '../run-overview/formatSeconds';
import { runStateLabels, type RunState } from '../results/runStates';
import type { RunReport as Report } from '../../src/product/answers/run-report';
import * as styles from './run-report.module.css';
import { Icon } from '../../src/app/icons/Icon';
import { Initials } from '../../src/app/chips/Initials';
import { VerifyButton } from './VerifyButton';

/** The sheet of a report: results on the left, facts on the right, below each other on phones. */
export function ReportContent({ report, link }: { report: Report; link?: string }) {
  const { counts, modules, failed, failed_total } = report;
  const hasModules = modules.some(({ module }) => module !== null);
  return (
    <div className={sharedStyles.sharedSheet}>
      <article className={styles.report}>
        <header>
          <p className={styles.kind}>Test run report{report.key && `, ${report.key}`}</p>
          <h1>{report.name}</h1>
          <p className={styles.summary}>{summaryOf(report)}</p>
        </header>
        <ResultBar counts={counts} size="large" />
        <ResultNumbers counts={counts} />
        <Figures report={report} />
        {hasModules && (
          <section>
            <h2>By module</h2>
            <ul className={styles.modules}>
              {modules.map((group) => (
                <li key={group.module}>
                  <span>{group.module ?? 'Without a module'}</span>
                  <ResultBar counts={group} />
                  <ShortNumbers counts={group} />
                </li>
              ))}
            </ul>
          </section>
        )}
        <section>
          <h2>Failures</h2>
          {failed.length === 0 ? (
            <p>Nothing failed.</p>
          ) : (
            <table className={styles.failures}>
              <thead>
                <tr>
                  <th scope="col">Key</th>
                  <th scope="col">Failed</th>
                  <th scope="col">What happened</th>
                  <th scope="col">Task</th>
                </tr>
              </thead>
              <tbody>
                {failed.map((test, index) => (
                  <tr key={index}>
                    <td>{test.key ?? '–'}</td>
                    <th scope="row">
                      {test.name}
                      {test.is_new && <span className={styles.fresh}>new</span>}
                    </th>
                    <td>
                      {test.message ?? '–'}
                      {test.evidence.length > 0 && (
                        <span className={styles.reportedFiles}>
                          Evidence:{' '}
                          {test.evidence
                            .map(({ name, step }) => (step === null ? name : `${name} (step ${step})`))
                            .join(', ')}
                        </span>
                      )}
                    </td>
                    <td>{test.defect ?? 'no task'}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
          {failed_total > failed.length && <p>and {formatNumber(failed_total - failed.length)} more</p>}
        </section>
      </article>
      <Facts report={report} link={link} />
    </div>
  );
}

function Figures({ report }: { report: Report }) {
  const { pass_rate, counts, total, new_failures, elapsed_seconds } = report;
  const figures: readonly (readonly [value: string, label: string, tone?: 'good' | 'bad'])[] = [
    [
      pass_rate === null ? '–' : `${formatNumber(pass_rate)}%`,
      `Passed of ${formatNumber(total - counts.not_run)}`,
      'good',
    ],
    [formatNumber(total), 'Tests'],
    [formatNumber(new_failures), 'New failures', new_failures > 0 ? 'bad' : undefined],
    [formatNumber(counts.flaky), 'Flaky'],
    [formatSeconds(elapsed_seconds), 'Elapsed'],
  ];
  return (
    <ul className={styles.figures} aria-label="Figures">
      {figures.map(([value, label, tone]) => (
        <li key={label}>
          <b className="num" data-figure={tone}>
            {value}
          </b>
          <span>{label}</span>
        </li>
      ))}
    </ul>
  );
}

function Facts({ report, link }: { report: Report; link?: string }) {
  const { project, milestone, configurations, branch, commit, people, state, closed_at, made_at } = report;
  return (
    <aside aria-label="Facts">
      <dl>
        <SharedFact label="Project">{project}</SharedFact>
        <SharedFact label="Milestone">{milestone}</SharedFact>
        {configurations.length > 0 && <SharedFact label="Configuration">{configurations.join('; ')}</SharedFact>}
        {(branch ?? commit) && (
          <SharedFact label="Build">{[branch, commit?.slice(0, 10)].filter(Boolean).join(', ')}</SharedFact>
        )}
        <SharedFact label="Run">{spanOf(report)}</SharedFact>
        <SharedFact label="State">
          {state === 'closed'
            ? `Closed${closed_at ? `, ${formatInstant(closed_at)}` : ''}`
            : runStateLabels[state as RunState]}
        </SharedFact>
        <SharedFact label="By">{people.join(', ')}</SharedFact>
        <SharedFact label="As of">{formatInstant(made_at)}</SharedFact>
      </dl>
      <Stamps report={report} link={link} />
    </aside>
  );
}

function spanOf({ first_at, last_at }: Report): string | null {
  if (!first_at || !last_at) return null;
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const dayOf = (instant: string) => formatDate(dayInTimeZone(zone, new Date(instant)));
  const firstDay = dayOf(first_at);
  const lastDay = dayOf(last_at);
  return firstDay === lastDay ? firstDay : `${firstDay} to ${lastDay}`;
}

function summaryOf({ counts, total, failed, failed_total, new_failures }: Report): string {
  const runCount = total - counts.not_run;
  if (total === 0) return 'The run has no tests.';
  if (runCount === 0) return `None of its ${formatNumber(total)} tests was run yet.`;
  const passedText = `${formatNumber(counts.passed)} of ${formatNumber(runCount)} tests run passed.`;
  const left = counts.not_run > 0 ? ` ${formatNumber(counts.not_run)} are left.` : '';
  if (failed_total === 0) return `${passedText} Nothing failed.${left}`;
  const tasks = new Set(failed.map(({ defect }) => defect).filter((defect) => defect !== null)).size;
  const taskText = tasks === 0 ? 'no task yet' : tasks === 1 ? 'one task' : `${formatNumber(tasks)} tasks`;
  const failures = failed_total === 1 ? 'One failure has' : `${formatNumber(failed_total)} failures have`;
  const newText = new_failures > 0 ? `; ${formatNumber(new_failures)} new since the run before` : '';
  return `${passedText} ${failures} ${taskText}${newText}.${left}`;
}

interface StampsProps {
  report: Report;
  /** The link of a public report, whose readers can recompute the fingerprint. */
  link?: string;
}

/** The signatures of the run, and the fingerprint of its results and attempts. */
function Stamps({ report: { stamps, fingerprint }, link }: StampsProps) {
  const isSigned = stamps.some(({ is_current }) => is_current);
  return (
    <section className={styles.stamp} data-signed={isSigned || undefined} aria-label="Stamp">
      <h2>
        <Icon name={isSigned ? 'check' : 'file'} />
        {isSigned ? 'Signed off' : stamps.length > 0 ? 'Changed since it was signed off' : 'Not signed off'}
      </h2>
      {stamps.length > 0 && (
        <ul>
          {stamps.map(({ name, at: instant, comment, is_current }) => (
            <li key={`${instant} ${name}`}>
              <Initials name={name ?? ''} />
              <span>
                <b>{name ?? 'A deleted account'}</b>
                <small>
                  {formatInstant(instant)}
                  {!is_current && ', before the latest change'}
                </small>
                {comment && <span className={styles.stampComment}>{comment}</span>}
              </span>
            </li>
          ))}
        </ul>
      )}
      <p className={styles.fingerprint}>
        <small>Fingerprint of this state (SHA-256)</small>
        <code>{fingerprint.replace(/(.{4})(?!$)/g, '$1 ')}</code>
      </p>
      {link !== undefined && <VerifyButton link={link} fingerprint={fingerprint} />}
    </section>
  );
}
