import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import { useState } from 'react';
import { appliedFilters } from '../../../engine/lists/applied-filters';
import { useCommands } from '../../commands/commands';
import { Icon } from '../../icons/Icon';
import { filtersButtonId } from '../useListCommands';
import { useResourceList } from '../ResourceList';
import { lazyComponent } from '../../states/lazyComponent';
import * as styles from '../toolbar.module.css';

const FiltersDialog = lazyComponent(() =>
  import('./FiltersDialog').then((module) => ({ default: module.FiltersDialog })),
);
export const QuickFilter = lazyComponent(() =>
  import('./QuickFilter').then((module) => ({ default: module.QuickFilter })),
);

interface FiltersButtonProps {
  /** The dialog's title. */
  title?: string;
}

/** Opens the filters and shows how many are active; beside it, except on phones, the filters that apply at once. */
export function FiltersButton({ title = 'Filters' }: FiltersButtonProps) {
  const { definition, state, inputs, isPhone } = useResourceList();
  const [isOpen, setOpen] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  const show = () => {
    setWasOpened(true);
    setOpen(true);
  };
  useCommands(() => [{ id: 'filters', label: 'Filters', icon: 'filter', opensInput: true, run: show }]);
  const count = appliedFilters(state.filters, inputs, definition).length;
  return (
    <>
      <Button
        id={filtersButtonId}
        variant="outlined"
        className={`${styles.filtersButton}${isPhone ? ` ${styles.listSquare}` : ''}`}
        data-on={count > 0 || undefined}
        startIcon={isPhone ? undefined : <Icon name="filter" />}
        title="Filters"
        aria-haspopup="dialog"
        aria-label={count > 0 ? `Filters, ${count} applied` : 'Filters'}
        onClick={show}
      >
        {isPhone ? <Icon name="filter" /> : <span className={styles.listLabel}>Filters</span>}
        {count > 0 && <span className={`${styles.filtersCount} num`}>{count}</span>}
      </Button>
      {!isPhone && <QuickFilterButton />}
      {wasOpened && <FiltersDialog open={isOpen} title={title} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Opens the filters that apply at once. */
function QuickFilterButton() {
  const [button, setButton] = useState<HTMLButtonElement | null>(null);
  const [isOpen, setOpen] = useState(false);
  const open = () => setOpen(true);
  useCommands(() => [
    { id: 'quick-filter', label: 'Quick filter', icon: 'filter', keys: 'f', opensInput: true, run: open },
  ]);
  return (
    <>
      <IconButton
        ref={setButton}
        size="small"
        title="Quick filter (F)"
        aria-label="Quick filter"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={open}
      >
        <Icon name="plus" />
      </IconButton>
      {isOpen && button && <QuickFilter anchor={button} onClose={() => setOpen(false)} />}
    </>
  );
}
