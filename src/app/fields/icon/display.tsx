import type { FieldOf } from '../../../engine/definitions/definition';
import { Icon } from '../../icons/Icon';
import type { CellProps, DisplayFacets } from '../fieldType';
import * as styles from '../fields.module.css';

/** The icon and its name. */
function Cell({ value }: CellProps<FieldOf<'icon'>>) {
  if (typeof value !== 'string' || value === '') return null;
  return (
    <span className={styles.cellText}>
      <Icon name={value} />
      {value}
    </span>
  );
}

export default { Cell } satisfies DisplayFacets<FieldOf<'icon'>>;
