import { Fragment, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { isGranted } from '../../src/engine/access/access-decision';
import { addDays, dayInTimeZone, daysBetween, sayDay } from '../../src/engine/formats/dates';
import { formatNumber } from '../../src/engine/formats/numbers';
import { itemAt } from '../../src/engine/values/lookups';
import type { BuildNow, DashboardNow, DueNow, FailingNow, RunsNow } from '../../src/product/answers/dashboard-now';
import { useFigures } from '../../src/app/charts/useFigures';
import { useDefinitions } from '../../src/app/data/DefinitionsContext';
import { localTimeZone } from '../../src/engine/formats/time-zone';
import { useListScope } from '../../src/app/preferences/listScope';
import { Icon } from '../../src/app/icons/Icon';
import { ResultBar } from '../results/ResultNumbers';
import { resultGlyphs } from '../results/results';
import * as statesStyles from '../../src/app/states/states.module.css';
import * as styles from './dashboard.module.css';

const dependsOn = ['test-runs', 'run-entries', 'tasks', 'milestones'];

/** The work that waits today: active runs, failing tests, the latest build, and what is due, each a link to its list. */
export function Now({ today }: { today: string }) {
  const { actor } = useDefinitions();
  // The lists that the parts lead to are narrowed to it, too.
  const scope = useListScope();
  const path = scope?.resource === 'projects' ? `/dashboard/now?project_id=${scope.id}` : '/dashboard/now';
  const { data, error } = useFigures<DashboardNow>(path, dependsOn);
  const mayList = (resource: string) => isGranted(actor, resource, 'list');
  const hasRuns = mayList('test-runs') && mayList('run-entries');
  // The blocks below say more about each; the dashboard is useful without this.
  if ((error && !data) || (!hasRuns && !mayList('tasks'))) return null;
  return (
    <section className={styles.dashNow} aria-label="Now" aria-busy={!data}>
      {hasRuns && (
        <Part title="Active runs" path="/test-runs?tab=open">
          {data?.runs && <ActiveRuns {...data.runs} />}
        </Part>
      )}
      {hasRuns && (
        <Part title="Failing now" path="/run-entries?tab=failing">
          {data?.failing && <Failing {...data.failing} today={today} />}
        </Part>
      )}
      {hasRuns && (!data || data.build) && (
        <Part title="Latest build" path="/ci-results">
          {data?.build && <Build {...data.build} today={today} />}
        </Part>
      )}
      {mayList('tasks') && (
        <Part
          title="Due this week"
          path={`/tasks?status_id=1,2&end_date_from=${today}&end_date_to=${addDays(today, 7)}`}
        >
          {data?.due && <Due {...data.due} day={today} />}
        </Part>
      )}
    </section>
  );
}

function Part({ title, path, children }: { title: string; path: string; children: ReactNode }) {
  return (
    <Link to={path}>
      <h2>
        {title}
        <Icon name="chevron-right" size={14} />
      </h2>
      {children ?? <span className={statesStyles.skeleton} style={{ width: '60%', height: 20 }} aria-hidden="true" />}
    </Link>
  );
}

function ActiveRuns({ count, rows }: RunsNow) {
  return (
    <p style={{ alignItems: 'start' }}>
      <b className="num">{formatNumber(count)}</b>
      <span className={styles.dashNowRuns}>
        {rows.map(({ id, key, name, project, counts }) => (
          <Fragment key={id}>
            <span>{key}</span>
            <span title={name}>{project ?? name}</span>
            <ResultBar counts={counts} size="small" />
          </Fragment>
        ))}
      </span>
    </p>
  );
}

function Failing({ count, new: newCount, projects, oldest, today }: FailingNow & { today: string }) {
  const firstDay = oldest?.run_at && dayInTimeZone(localTimeZone(), new Date(oldest.run_at));
  return (
    <>
      <p>
        <b className="num" data-tone={count > 0 ? 'bad' : 'good'}>
          {formatNumber(count)}
        </b>
        {newCount > 0 && <span data-tone="bad">{formatNumber(newCount)} new since yesterday</span>}
      </p>
      <span className={styles.dashNowLine}>
        {projects.map((group) => `${group.project} ${formatNumber(group.count)}`).join(', ')}
      </span>
      {firstDay && (
        <span className={styles.dashNowLine}>
          oldest: {oldest.name}, {age(firstDay, today)}
        </span>
      )}
    </>
  );
}

const age = (day: string, today: string) => {
  const days = daysBetween(day, today);
  return days <= 0 ? 'today' : days === 1 ? '1 day' : `${formatNumber(days)} days`;
};

function Build({ history, today }: BuildNow & { today: string }) {
  const latest = itemAt(history, history.length - 1);
  const isRed = latest.failed > 0;
  const lastGreen = history.findLastIndex(({ failed }) => failed === 0);
  // The first one after the last that passed; without such a one it may be older than those that are known.
  const firstRed = isRed && lastGreen >= 0 ? itemAt(history, lastGreen + 1) : undefined;
  const firstDay = firstRed && dayInTimeZone(localTimeZone(), new Date(firstRed.created_at));
  return (
    <>
      <p>
        <b>{latest.key}</b>
        <span data-tone={isRed ? 'bad' : latest.passed > 0 ? 'good' : undefined}>
          {isRed
            ? `${formatNumber(latest.failed)} of ${formatNumber(latest.total)} failed`
            : latest.passed > 0
              ? `${formatNumber(latest.passed)} passed`
              : 'nothing has run'}
        </span>
      </p>
      <span
        className={styles.dashBuilds}
        role="img"
        aria-label={`The last ${history.length} builds, ${history.filter(({ failed }) => failed > 0).length} failed`}
      >
        {history.map(({ id, key, failed, flaky }) => {
          const state = failed > 0 ? 'failed' : flaky > 0 ? 'flaky' : 'passed';
          return (
            <i key={id} data-state={state} title={`${key}, ${state}`}>
              {state !== 'passed' && <Icon name={resultGlyphs[state]} size={10} />}
            </i>
          );
        })}
      </span>
      {isRed && (
        <span className={styles.dashNowLine}>
          {firstRed && firstDay
            ? `red since ${firstRed.key}, ${age(firstDay, today)}`
            : `red in the last ${formatNumber(history.length)} builds`}
        </span>
      )}
    </>
  );
}

function Due({ week, late: lateCount, today: dueToday, tomorrow, milestone, day }: DueNow & { day: string }) {
  return (
    <>
      <p>
        <b className="num">{formatNumber(week)}</b>
        {lateCount > 0 && <span data-tone="bad">{formatNumber(lateCount)} late</span>}
      </p>
      <span className={styles.dashNowLine}>
        {formatNumber(dueToday)} today, {formatNumber(tomorrow)} tomorrow
      </span>
      {milestone && (
        <span className={styles.dashNowLine}>
          {milestone.name}: {sayDay(milestone.due_on, day)}
        </span>
      )}
    </>
  );
}
