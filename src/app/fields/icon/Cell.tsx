import { Icon } from '../../icons/Icon';
import type { CellProps } from '../fieldComponents';

/** The icon and its name. */
export function Cell({ value }: CellProps) {
  if (typeof value !== 'string' || value === '') return null;
  return (
    <span className="cell-text">
      <Icon name={value} />
      {value}
    </span>
  );
}
