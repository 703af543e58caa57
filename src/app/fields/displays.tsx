import { createElement } from 'react';
import { fieldTypeOf } from '../../engine/field-types';
import type { CellProps, DisplayFacets } from './fieldType';
import { createFacetLookup } from './registry';
import * as styles from './fields.module.css';

function TextCell({ field, value }: CellProps) {
  return <span className={styles.cellText}>{fieldTypeOf(field).toText(value, field)}</span>;
}

/**
 * How a field's values are shown. Separate from the inputs, which lists and boards don't load.
 *
 * @example
 * const { Cell } = displayOf(field);
 */
export const displayOf = createFacetLookup(
  'display',
  import.meta.glob<DisplayFacets>('./*/display.tsx', { eager: true, import: 'default' }),
  { Cell: TextCell, relatedWidth: 180 },
);

/** The cell of a value, by the type of its field. */
export function FieldCell(props: CellProps) {
  return createElement(displayOf(props.field).Cell, props);
}
