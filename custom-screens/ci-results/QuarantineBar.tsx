import Switch from '@mui/material/Switch';
import { useQueryClient } from '@tanstack/react-query';
import { useNotify } from 'react-admin';
import { isGranted } from '../../src/engine/access/access-decision';
import { addDays, dayInTimeZone, formatDate } from '../../src/engine/formats/dates';
import { useDefinitions } from '../../src/app/data/DefinitionsContext';
import { useEvaluationContext } from '../../src/app/data/useEvaluationContext';
import { changeTest, type AutomatedTest, type Build } from './ciApi';
import * as styles from './ci-results.module.css';

/** Days of a new quarantine. */
const defaultDays = 14;

/** Whether failures of a test are ignored by the gate, and until when. It runs and is shown all the same. */
export function QuarantineBar({ build, test }: { build: Build; test: AutomatedTest }) {
  const { actor } = useDefinitions();
  const { timeZone } = useEvaluationContext();
  const notify = useNotify();
  const queryClient = useQueryClient();
  const today = dayInTimeZone(timeZone ?? 'UTC');
  const lastDay = test.quarantined_until;
  const isQuarantined = lastDay !== null && lastDay >= today;
  const mayChange = !actor.viewer && isGranted(actor, 'automated-tests', 'edit');
  const store = async (end: string | null) => {
    try {
      const reason = test.quarantine_reason ?? `Failed in ${build.key}`;
      await changeTest(test.id, { quarantined_until: end, quarantine_reason: end === null ? null : reason });
      notify(end === null ? 'The quarantine is over.' : `In quarantine until ${formatDate(end)}.`, { type: 'success' });
    } catch (error) {
      notify(error instanceof Error ? error.message : 'The quarantine could not be stored.', { type: 'error' });
    }
    for (const key of ['run-entries', 'automated-tests']) void queryClient.invalidateQueries({ queryKey: [key] });
  };
  return (
    <div className={styles.fact}>
      <Switch
        checked={isQuarantined}
        disabled={!mayChange}
        onChange={(_, checked) => void store(checked ? addDays(today, defaultDays) : null)}
        slotProps={{ input: { 'aria-label': 'Quarantine' } }}
      />
      <span>
        {isQuarantined ? (
          <>
            <b>Quarantined</b> until {formatDate(lastDay)}: runs and is recorded, does not fail the build.
          </>
        ) : (
          <>
            <b>Not quarantined.</b> {lastDay !== null && `Its quarantine ended on ${formatDate(lastDay)}. `}Its failures
            fail the build.
          </>
        )}
      </span>
      {isQuarantined && mayChange && (
        <input
          type="date"
          aria-label="Quarantine until"
          className={styles.until}
          value={lastDay}
          min={today}
          onChange={(event) => event.target.value !== '' && void store(event.target.value)}
        />
      )}
    </div>
  );
}
