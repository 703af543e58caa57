import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import MenuItem from '@mui/material/MenuItem';
import Select from '@mui/material/Select';
import { useDefinitions } from '../../data/DefinitionsContext';
import { useDraft } from '../draft';
import { LabelledInput } from '../properties/LabelledInput';
import { useDraftValue } from '../properties/useDraftValue';
import { optionsOf } from '../properties/optionSources';
import * as styles from '../properties/properties.module.css';

const defaultSort = '-id';

/** The default order of the list. */
export function Sort() {
  const { source } = useDraft();
  const { value, set, error } = useDraftValue('/list/sort');
  const sort = typeof value === 'string' ? value : defaultSort;
  const field = sort.replace(/^-/, '');
  const put = (name: string, down: boolean) => {
    const next = `${down ? '-' : ''}${name}`;
    set(next === defaultSort ? undefined : next);
  };
  const { registry } = useDefinitions();
  const options = optionsOf(undefined, 'listPaths', { source, registry, part: {} });
  return (
    <LabelledInput label="Sorted by" error={error}>
      {({ id, describedBy }) => (
        <div className={styles.studioRow}>
          <Select
            size="small"
            fullWidth
            value={field}
            error={error !== undefined}
            onChange={({ target }) => put(target.value, sort.startsWith('-'))}
            inputProps={{ id, 'aria-label': 'Sorted by', 'aria-describedby': describedBy }}
            MenuProps={{ slotProps: { paper: { sx: { maxHeight: 320 } } } }}
          >
            {!options.some((option) => option.value === field) && <MenuItem value={field}>{field}</MenuItem>}
            {options.map((option) => (
              <MenuItem key={String(option.value)} value={String(option.value)}>
                {option.label}
              </MenuItem>
            ))}
          </Select>
          <ToggleButtonGroup
            exclusive
            size="small"
            value={sort.startsWith('-')}
            aria-label="Direction"
            onChange={(_, down: boolean | null) => down !== null && put(field, down)}
          >
            <ToggleButton value={false}>up</ToggleButton>
            <ToggleButton value={true}>down</ToggleButton>
          </ToggleButtonGroup>
        </div>
      )}
    </LabelledInput>
  );
}
