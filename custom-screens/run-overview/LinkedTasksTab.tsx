import { Link } from 'react-router-dom';
import { entryKey } from '../test-runner/entryOrder';
import type { OverviewEntry, OverviewRun } from './overviewApi';
import * as styles from './run-overview.module.css';

/** A task and the tests of the run at which it is noted. */
interface LinkedTask {
  readonly id: number;
  readonly name: string;
  readonly status: string | null;
  readonly entries: readonly OverviewEntry[];
}

/** The tasks that tests of a run name as their defects. */
export function linkedTasks(entries: readonly OverviewEntry[]): readonly LinkedTask[] {
  const tasks = new Map<number, LinkedTask & { entries: OverviewEntry[] }>();
  for (const entry of entries) {
    const { defect, defect_status: status } = entry;
    if (!defect) continue;
    const linkedTask = tasks.get(defect.id);
    if (linkedTask) linkedTask.entries.push(entry);
    else tasks.set(defect.id, { id: defect.id, name: defect.name, status, entries: [entry] });
  }
  return [...tasks.values()];
}

/** The tasks of what failed, each with its status and its tests. */
export function LinkedTasksTab({ run, entries }: { run: OverviewRun; entries: readonly OverviewEntry[] }) {
  const tasks = linkedTasks(entries);
  if (tasks.length === 0) return <p className={styles.nothing}>No test of this run has a task.</p>;
  return (
    <div className={styles.failures}>
      {tasks.map(({ id, name, status, entries: taskEntries }) => (
        <section key={id} aria-label={name}>
          <header>
            <h3>
              <Link to={`/tasks/${id}`}>{name}</Link>
            </h3>
            {status && <span>{status}</span>}
          </header>
          <ul>
            {taskEntries.map((entry) => (
              <li key={entry.id}>
                <span className={styles.key}>{entryKey(entry)}</span>
                <Link to={`/test-runs/${run.id}/run?entry=${entry.id}`}>{entry.name}</Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
