import type { FieldOf } from '../../../engine/definitions/definition';
import { Icon } from '../../icons/Icon';
import type { CellProps, DisplayFacets } from '../fieldType';

/** The icon and its name. */
function Cell({ value }: CellProps<FieldOf<'icon'>>) {
  if (typeof value !== 'string' || value === '') return null;
  return (
    <span className="cell-text">
      <Icon name={value} />
      {value}
    </span>
  );
}

export default { Cell, minWidth: () => 80 } satisfies DisplayFacets<FieldOf<'icon'>>;
