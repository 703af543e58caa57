import Alert from '@mui/material/Alert';
import type { Definition } from '../../engine/definitions/definition';
import * as styles from './list.module.css';

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
