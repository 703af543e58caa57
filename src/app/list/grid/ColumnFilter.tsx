import Button from '@mui/material/Button';
import Popover from '@mui/material/Popover';
import { useState } from 'react';
import type { ResourceRecord } from '../../../engine/definitions/definition';
import type { FilterInput } from '../../../engine/lists/filter-inputs';
import { withFilters } from '../../../engine/lists/list-state';
import { FilterField } from '../filters/FilterField';
import { useResourceList } from '../ResourceList';
import * as styles from './grid.module.css';

interface ColumnFilterProps {
  input: FilterInput;
  /** The column's header. */
  anchor: HTMLElement;
  onClose: () => void;
}

/** The filter of one column, below its header. It sets the same filters as the dialog. */
export function ColumnFilter({ input, anchor, onClose }: ColumnFilterProps) {
  const { definition, state, change } = useResourceList();
  const [values, setValues] = useState<Readonly<ResourceRecord>>(state.filters);
  const apply = (next: Readonly<ResourceRecord>) => {
    onClose();
    const ownFilters = Object.fromEntries(input.keys.map((key) => [key, next[key]]));
    change((current) => withFilters(current, ownFilters));
  };
  return (
    <Popover
      open
      anchorEl={anchor}
      onClose={onClose}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
      slotProps={{ paper: { role: 'dialog', 'aria-label': `Filter ${input.label}`, className: styles.columnFilter } }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          apply(values);
        }}
      >
        <FilterField
          {...{ definition, input, values }}
          inputs={[]}
          onChange={(next) => setValues((current) => ({ ...current, ...next }))}
        />
        <div className={styles.columnFilterFoot}>
          <Button variant="outlined" onClick={() => apply({})}>
            Clear
          </Button>
          <Button variant="contained" type="submit">
            Apply
          </Button>
        </div>
      </form>
    </Popover>
  );
}
