import Autocomplete from '@mui/material/Autocomplete';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { dayInTimeZone, formatDate } from '../../src/engine/formats/dates';
import { localTimeZone } from '../../src/engine/formats/time-zone';
import type { RunComparison } from '../../src/product/answers/run-comparison';
import { ResultBar, ShortNumbers } from '../results/ResultNumbers';
import { formatSeconds } from '../run-overview/formatSeconds';
import { comparisonPath, useRunsOf, type OtherRun } from './comparisonApi';
import * as styles from './run-comparison.module.css';

/** Both runs with their results, the base first; each can be changed for another of the project. */
export function ComparedRuns({ comparison, project }: { comparison: RunComparison; project: number }) {
  const navigate = useNavigate();
  const ids = comparison.runs.map(({ id }) => id);
  return (
    <section className={styles.runs} aria-label="Compared runs">
      {comparison.runs.map((run, index) => {
        const otherId = ids[1 - index] ?? 0;
        return (
          <div key={index}>
            <header>
              <RunChoice
                label={index === 0 ? 'Base run' : 'Compared run'}
                {...{ run, otherId, project }}
                onChoose={(id) =>
                  void navigate(index === 0 ? comparisonPath(id, otherId) : comparisonPath(otherId, id))
                }
              />
            </header>
            <ResultBar counts={run.counts} />
            <footer>
              <ShortNumbers counts={run.counts} />
              <small>
                {[
                  formatDate(dayInTimeZone(localTimeZone(), new Date(run.created_at))),
                  run.seconds > 0 && formatSeconds(run.seconds),
                ]
                  .filter(Boolean)
                  .join(', ')}
              </small>
            </footer>
          </div>
        );
      })}
    </section>
  );
}

interface RunChoiceProps {
  label: string;
  run: OtherRun;
  /** The run beside it, which is not offered. */
  otherId: number;
  project: number;
  onChoose: (run: number) => void;
}

/** A run, and others of the project: the latest, or those that a typed text finds. */
function RunChoice({ label, run, otherId, project, onChoose }: RunChoiceProps) {
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState('');
  const runs = useRunsOf(project, text, isOpen);
  return (
    <Autocomplete
      size="small"
      disableClearable
      selectOnFocus
      handleHomeEndKeys
      open={isOpen}
      onOpen={() => setOpen(true)}
      onClose={() => setOpen(false)}
      loading={runs.isFetching}
      noOptionsText={runs.error?.message ?? 'No run fits'}
      filterOptions={(options) => options}
      onInputChange={(_, value, reason) => setText(reason === 'input' ? value : '')}
      options={[...(runs.data ?? [])]}
      value={run}
      getOptionLabel={({ key, name }) => [key, name].filter(Boolean).join(' ')}
      getOptionKey={({ id }) => id}
      getOptionDisabled={({ id }) => id === otherId}
      isOptionEqualToValue={(option, { id }) => option.id === id}
      onChange={(_, { id }) => onChoose(id)}
      renderInput={(params) => (
        <TextField
          {...params}
          slotProps={{
            ...params.slotProps,
            htmlInput: { ...params.slotProps.htmlInput, 'aria-label': label },
          }}
        />
      )}
    />
  );
}
