import Alert from '@mui/material/Alert';
import type { Definition } from '../../engine/definitions/definition';
import { resolveFilterName } from '../../engine/lists/filter-text';
import * as styles from './toolbar.module.css';

interface LostFiltersProps {
  definition: Definition;
  /** Their names, as they were remembered. */
  names: readonly string[];
  onClose: () => void;
}

/** Says which remembered filters and sorting the list is shown without. */
export function LostFilters({ definition, names, onClose }: LostFiltersProps) {
  const words = names.map((name) => definition.fields[name]?.label ?? name).join(', ');
  return (
    <Alert severity="info" className={styles.lostFilters} onClose={onClose}>
      Shown without what you filtered or sorted by last: {words}. {names.length === 1 ? 'It was' : 'They were'} renamed
      or removed.
    </Alert>
  );
}

interface UnappliedFiltersProps {
  definition: Definition;
  /** Their names, as the address has them. */
  names: readonly string[];
  /** The query of the address. */
  search: string;
  onClose: () => void;
}

/** Says which parts of an address the list is shown without: those that it has no filter for, or no such value. */
export function UnappliedFilters({ definition, names, search, onClose }: UnappliedFiltersProps) {
  const query = new URLSearchParams(search);
  const words = names.map((name) => {
    const { field, end } = resolveFilterName(name, definition) ?? {};
    const label = field ? field.label + (end ? ` ${end}` : '') : (definition.fields[name]?.label ?? name);
    return `${label} “${query.get(name) ?? query.get(`filter.${name}`) ?? query.get('sort') ?? ''}”`;
  });
  return (
    <Alert severity="warning" className={styles.lostFilters} onClose={onClose}>
      Not applied: {words.join(', ')}. The list has no such {names.length === 1 ? 'filter, or it' : 'filters, or they'}{' '}
      cannot have {names.length === 1 ? 'this value' : 'these values'}.
    </Alert>
  );
}
