import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import { useEffect, useRef, useState } from 'react';
import { DialogHead } from '../../dialogs/DialogHead';
import type { ResourceRecord } from '../../../engine/definitions/definition';
import { parentInputsOf } from '../../../engine/lists/filter-inputs';
import { withFilters } from '../../../engine/lists/list-state';
import { useResourceList } from '../ResourceList';
import { FilterField } from './FilterField';
import * as styles from './filters.module.css';

interface FiltersDialogProps {
  open: boolean;
  title: string;
  /** The filter that gets the focus, or the first one where it is not among them; left out: none. */
  first: string | undefined;
  onClose: () => void;
}

/** All filters of a list at once, applied together. On phones it opens from below, over the full width. */
export function FiltersDialog({ open, title, first, onClose }: FiltersDialogProps) {
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
      <FiltersForm {...{ first, onClose }} />
    </Dialog>
  );
}

function FiltersForm({ first, onClose }: Pick<FiltersDialogProps, 'first' | 'onClose'>) {
  const { definition, state, inputs, change, isPhone } = useResourceList();
  const form = useRef<HTMLFormElement>(null);
  // On phones the keyboard would cover the filters.
  useEffect(() => {
    if (isPhone || first === undefined) return;
    const filters = [...(form.current?.querySelectorAll<HTMLElement>('[data-filter]') ?? [])];
    const firstFilter = filters.find(({ dataset }) => dataset.filter === first) ?? filters[0];
    firstFilter?.querySelector('input')?.focus();
  }, [first, isPhone]);
  const [values, setValues] = useState<Readonly<ResourceRecord>>(state.filters);
  const keys = inputs.flatMap((input) => input.keys);

  /** Clears filters that depend on a changed one. */
  const set = (changedValues: ResourceRecord) =>
    setValues((current) => {
      const next = { ...current, ...changedValues };
      for (const input of inputs) {
        const orphaned = parentInputsOf(input).some(
          (parent) => parent in changedValues && changedValues[parent] !== current[parent],
        );
        if (orphaned) for (const key of input.keys) next[key] = undefined;
      }
      return next;
    });
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
      ref={form}
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
          <div key={input.name} className={styles.filterInput} data-filter={input.name}>
            <FilterField {...{ definition, input, inputs, values }} onChange={set} />
          </div>
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
