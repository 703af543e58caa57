import MenuItem from '@mui/material/MenuItem';
import Select from '@mui/material/Select';
import { useNavigate } from 'react-router-dom';
import { dayInTimeZone, formatDate } from '../../src/engine/formats/dates';
import { localTimeZone } from '../../src/engine/formats/time-zone';
import type { RunComparison } from '../../src/product/answers/run-comparison';
import { ResultBar, ShortNumbers } from '../results/ResultNumbers';
import { formatSeconds } from '../run-overview/formatSeconds';
import { useRunsOf } from './comparisonApi';
import * as styles from './run-comparison.module.css';

/** Both runs with their results; each can be changed for another of the project. */
export function ComparedRuns({ comparison, project }: { comparison: RunComparison; project: number }) {
  const navigate = useNavigate();
  const choices = useRunsOf(project).data ?? [];
  const ids = comparison.runs.map(({ id }) => id);
  return (
    <section className={styles.runs} aria-label="Compared runs">
      {comparison.runs.map(({ id, key, name, created_at, counts, seconds }, index) => {
        const runChoices = choices.some((choice) => choice.id === id) ? choices : [{ id, key, name }, ...choices];
        const otherId = ids[1 - index];
        return (
          <div key={id}>
            <header>
              <Select
                size="small"
                variant="standard"
                disableUnderline
                value={id}
                inputProps={{ 'aria-label': index === 0 ? 'Earlier run' : 'Later run' }}
                onChange={({ target }) => void navigate(`/test-runs/${target.value}/compare/${otherId}`)}
              >
                {runChoices.map((choice) => (
                  <MenuItem key={choice.id} value={choice.id} disabled={choice.id === otherId}>
                    {[choice.key, choice.name].filter(Boolean).join(' ')}
                  </MenuItem>
                ))}
              </Select>
              <small>{formatDate(dayInTimeZone(localTimeZone(), new Date(created_at)))}</small>
            </header>
            <ResultBar counts={counts} />
            <footer>
              <ShortNumbers counts={counts} />
              <small>{seconds > 0 && formatSeconds(seconds)}</small>
            </footer>
          </div>
        );
      })}
    </section>
  );
}
