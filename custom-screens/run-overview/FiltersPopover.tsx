import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import Popover from '@mui/material/Popover';
import { useMemo, useState } from 'react';
import { formatNumber } from '../../src/engine/formats/numbers';
import { Icon } from '../../src/app/icons/Icon';
import { countChosen, filterChoices, toggleFilter, type ChosenFilters } from './entryFilters';
import type { OverviewEntry } from './overviewApi';
import * as styles from './run-overview.module.css';

interface FiltersPopoverProps {
  entries: readonly OverviewEntry[];
  selection: ChosenFilters;
  onChange: (chosen: ChosenFilters) => void;
}

/** A button with the number of chosen values, and the values that tests of the run have. */
export function FiltersPopover({ entries, selection, onChange }: FiltersPopoverProps) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const choices = useMemo(() => filterChoices(entries), [entries]);
  const count = countChosen(selection);
  const close = () => setAnchor(null);
  return (
    <>
      <Button
        variant="outlined"
        startIcon={<Icon name="filter" />}
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        data-active={count > 0 || undefined}
        sx={{ '&[data-active]': { borderColor: 'transparent', background: 'var(--tint)' } }}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        Filters {count > 0 && <span className={`${styles.filterCount} num`}>{formatNumber(count)}</span>}
      </Button>
      <Popover
        open={anchor !== null}
        anchorEl={anchor}
        onClose={close}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
        slotProps={{ paper: { role: 'dialog', 'aria-label': 'Filters of the tests', className: styles.filterPaper } }}
      >
        {choices.length === 0 && <p className={styles.nothing}>All tests are alike.</p>}
        {choices.map(({ name, label, values }) => (
          <fieldset key={name} className={styles.filterGroup}>
            <Box component="legend" sx={{ float: 'left', color: 'var(--t2)', fontSize: 12, fontWeight: 500 }}>
              {label}
            </Box>
            {values.map(([value, count]) => (
              <FormControlLabel
                key={value}
                label={
                  <>
                    {value} <small className="num">{formatNumber(count)}</small>
                  </>
                }
                control={
                  <Checkbox
                    size="small"
                    checked={selection[name]?.includes(value) ?? false}
                    onChange={() => onChange(toggleFilter(selection, name, value))}
                  />
                }
              />
            ))}
          </fieldset>
        ))}
        <footer className={styles.filterFoot}>
          <Button variant="outlined" disabled={count === 0} onClick={() => onChange({})}>
            Clear all
          </Button>
          <Button variant="contained" onClick={close}>
            Done
          </Button>
        </footer>
      </Popover>
    </>
  );
}
