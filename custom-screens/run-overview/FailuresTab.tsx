import Box from '@mui/material/Box';
import { useMemo } from 'react';
import { Link } from 'react-router-dom';
import { formatNumber } from '../../src/engine/formats/numbers';
import { Icon } from '../../src/app/icons/Icon';
import { entryKey } from '../test-runner/entryOrder';
import type { Overview, OverviewEntry, OverviewRun } from './overviewApi';
import * as styles from './run-overview.module.css';
import Button from '@mui/material/Button';
import { useQueryClient } from '@tanstack/react-query';
import { canDo } from '../../src/engine/access/can-do';
import { useDefinitions } from '../../src/app/data/DefinitionsContext';
import { useEvaluationContext } from '../../src/app/data/useEvaluationContext';
import { useDefect } from '../defect/useDefect';

interface FailuresTabProps {
  run: OverviewRun;
  overview: Overview;
  entries: readonly OverviewEntry[];
}

/** How many failures of a group are listed. */
const maxFailures = 50;

/** The failures by their message, the most frequent first; those that are new since the run before are marked. */
export function FailuresTab({ run, overview: { failures, earlier: earlierRun }, entries }: FailuresTabProps) {
  const byId = useMemo(() => new Map(entries.map((entry) => [entry.id, entry])), [entries]);
  if (failures.length === 0) return <p className={styles.nothing}>Nothing failed.</p>;
  const sinceText = earlierRun ? `since ${earlierRun.key ?? earlierRun.name}` : '';
  return (
    <div className={styles.failures}>
      {failures.map(({ message, entries: ids, new: newIds }) => (
        <section key={message} aria-label={message || 'Without a message'}>
          <header>
            <Icon name="x" size={14} />
            <h3>{message || 'Without a message'}</h3>
            <span className="num">{ids.length === 1 ? 'One test' : `${formatNumber(ids.length)} tests`}</span>
            {newIds.length > 0 && (
              <span className={styles.fresh}>{`${formatNumber(newIds.length)} new ${sinceText}`.trim()}</span>
            )}
          </header>
          <ul>
            {ids.slice(0, maxFailures).map((id) => {
              const entry = byId.get(id);
              if (!entry) return null;
              const { configuration, assigned: assignee, defect } = entry;
              return (
                <li key={id}>
                  <span className={styles.key}>{entryKey(entry)}</span>
                  <Link to={run.source === 'people' ? `/test-runs/${run.id}/run?entry=${id}` : `/run-entries/${id}`}>
                    {entry.name}
                  </Link>
                  <small>
                    {[configuration?.name, assignee?.name, defect ? `Task: ${defect.name}` : 'no task']
                      .filter(Boolean)
                      .join(' · ')}
                  </small>
                  {newIds.includes(id) && <span className={styles.fresh}>new</span>}
                  {!defect && <CreateDefectButton {...{ run, entry }} />}
                </li>
              );
            })}
          </ul>
          {ids.length > maxFailures && (
            <Box component="p" sx={{ py: 2, px: 4, color: 'var(--t3)', fontSize: 13 }}>
              and {formatNumber(ids.length - maxFailures)} more
            </Box>
          )}
        </section>
      ))}
    </div>
  );
}

interface CreateDefectButtonProps {
  run: OverviewRun;
  entry: OverviewEntry;
}

/** Opens the form of a task that has what is stored of a failure, and its files; nothing for who may not. */
function CreateDefectButton({ run, entry }: CreateDefectButtonProps) {
  const { registry, actor } = useDefinitions();
  const evaluationContext = useEvaluationContext();
  const entries = registry.getOrThrow('run-entries');
  const mayLink =
    run.state === 'open' && !actor.viewer && canDo(actor, entries, 'edit', { ...entry, run }, evaluationContext);
  return mayLink && registry.get('tasks') ? <CreateDefect {...{ run, entry }} /> : null;
}

function CreateDefect({ run, entry }: CreateDefectButtonProps) {
  const queryClient = useQueryClient();
  const { create } = useDefect(run, () => void queryClient.invalidateQueries({ queryKey: ['run-entries'] }));
  if (!create) return null;
  return (
    <Button
      variant="outlined"
      size="small"
      startIcon={<Icon name="bug" />}
      aria-label={`Create defect of ${entryKey(entry)}`}
      onClick={() => create(entry.id)}
    >
      Create defect
    </Button>
  );
}
