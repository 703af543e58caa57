import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import { useState } from 'react';
import { DialogHead } from '../../dialogs/DialogHead';
import type { ResourceRecord } from '../../../engine/definitions/definition';
import { withFilters } from '../../../engine/lists/list-state';
import { withoutOrphans } from '../../../engine/lists/quick-filter';
import { useResourceList } from '../ResourceList';
import { FilterField } from './FilterField';
import * as styles from './filters.module.css';

interface FiltersDialogProps {
  open: boolean;
  title: string;
  onClose: () => void;
}

/** All filters of a list at once, applied together. On phones it opens from below, over the full width. */
export function FiltersDialog({ open, title, onClose }: FiltersDialogProps) {
  const { isPhone } = useResourceList();
  return (
    <Dialog
      open={open}
      onClose={onClose}
      aria-labelledby="filters-title"
      className={isPhone ? styles.sheet : undefined}
      slotProps={{ paper: { sx: { width: isPhone ? '100%' : 400, maxWidth: '100%' } } }}
    >
      <DialogHead id="filters-title" size="small" onClose={onClose}>
        {title}
      </DialogHead>
      <FiltersForm onClose={onClose} />
    </Dialog>
  );
}

function FiltersForm({ onClose }: Pick<FiltersDialogProps, 'onClose'>) {
  const { definition, state, inputs, change } = useResourceList();
  const [values, setValues] = useState<Readonly<ResourceRecord>>(state.filters);
  const keys = inputs.flatMap((input) => input.keys);

  /** Clears filters that depend on a changed one. */
  const set = (changedValues: ResourceRecord) =>
    setValues((current) => ({ ...current, ...withoutOrphans(changedValues, current, inputs) }));
  const apply = () => {
    onClose();
    change((current) => withFilters(current, values));
  };
  const clear = () => {
    onClose();
    change((current) => withFilters(current, Object.fromEntries(keys.map((key) => [key, undefined]))));
  };
  return (
    <form
      className={styles.filtersForm}
      onKeyDown={(event) => {
        // In a choice it chooses first.
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return;
        event.currentTarget.requestSubmit();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <DialogContent>
        {inputs.map((input) => (
          <FilterField key={input.name} {...{ definition, input, inputs, values }} onChange={set} />
        ))}
      </DialogContent>
      <DialogActions>
        <Button variant="outlined" onClick={clear}>
          Clear
        </Button>
        <Button variant="contained" type="submit">
          Apply
        </Button>
      </DialogActions>
    </form>
  );
}
