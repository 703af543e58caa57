import { createElement } from 'react';
import type { Field } from '../../engine/definitions/definition';
import { isEmpty } from '../../engine/values/is-empty';
import { NoneChip } from '../chips/NoneChip';
import { FieldCell } from './displays';
import type { CellProps, PageFacets } from './fieldType';
import { createFacetLookup } from './registry';
import * as styles from './page-values.module.css';

const pageOf = createFacetLookup(
  'page',
  import.meta.glob<PageFacets>('./*/page.tsx', { eager: true, import: 'default' }),
  {},
);

/** A value as the page of a record shows it: text as text, rows as a table, files with previews; what is empty says so. */
export function PageValue({ field, value, ...cellProps }: CellProps) {
  if (isEmpty(value)) return <Nothing field={field} {...cellProps} />;
  const { Value } = pageOf(field);
  return Value ? (
    createElement(Value, { field, value, ...cellProps })
  ) : (
    <FieldCell {...{ field, value }} {...cellProps} />
  );
}

/** The width that a value needs among the texts of a page. */
export function pageWidthOf(field: Field): 'half' | 'full' {
  return pageOf(field).width ?? (field.width === 'full' ? 'full' : 'half');
}

function Nothing({ field, registry }: Pick<CellProps, 'registry'> & { field: Field }) {
  if (field.emptyText !== undefined) return <NoneChip definition={registry.get(field.to)}>{field.emptyText}</NoneChip>;
  return (
    <span className={styles.valueNothing}>
      <span aria-hidden="true">–</span>
      <span className="unseen">Nothing</span>
    </span>
  );
}
