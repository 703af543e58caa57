import Button from '@mui/material/Button';
import { useState } from 'react';
import { appliedFilters } from '../../../engine/lists/applied-filters';
import { useCommands } from '../../commands/commands';
import { Icon } from '../../icons/Icon';
import { useResourceList } from '../ResourceList';
import { lazyComponent } from '../../states/lazyComponent';
import * as styles from '../toolbar.module.css';

const FiltersDialog = lazyComponent(() =>
  import('./FiltersDialog').then((module) => ({ default: module.FiltersDialog })),
);

interface FiltersButtonProps {
  /** The dialog's title. */
  title?: string;
}

/** Opens the filters and shows how many are active. */
export function FiltersButton({ title = 'Filters' }: FiltersButtonProps) {
  const { definition, state, inputs, isPhone } = useResourceList();
  const [open, setOpen] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  const [first, setFirst] = useState<string>();
  const show = (filter?: string) => {
    setFirst(filter);
    setWasOpened(true);
    setOpen(true);
  };
  // By its key the first filter gets the focus; from a cell, that of its column.
  const showByKey = () => show(document.activeElement?.closest<HTMLElement>('[role=gridcell]')?.dataset.field ?? '');
  useCommands(() => [{ id: 'filters', label: 'Filters', icon: 'filter', keys: 'f', opensInput: true, run: showByKey }]);
  const count = appliedFilters(state.filters, inputs, definition).length;
  return (
    <>
      <Button
        variant="outlined"
        className={`${styles.filtersButton}${isPhone ? ` ${styles.listSquare}` : ''}`}
        data-on={count > 0 || undefined}
        startIcon={isPhone ? undefined : <Icon name="filter" />}
        title="Filters"
        aria-haspopup="dialog"
        aria-label={count > 0 ? `Filters, ${count} applied` : 'Filters'}
        onClick={() => show()}
      >
        {isPhone ? <Icon name="filter" /> : <span className={styles.listLabel}>Filters</span>}
        {count > 0 && <span className={`${styles.filtersCount} num`}>{count}</span>}
      </Button>
      {wasOpened && <FiltersDialog {...{ open, title, first }} onClose={() => setOpen(false)} />}
    </>
  );
}
