import type { CellProps } from '../fieldComponents';

/** The address without a link: a click anywhere in a row opens the record. */
export function Cell({ value }: CellProps) {
  return typeof value === 'string' ? <span className="cell-text">{value}</span> : null;
}
