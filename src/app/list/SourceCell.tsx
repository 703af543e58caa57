import type { ResourceRecord } from '../../engine/definitions/definition';
import type { ColumnSource } from '../../engine/lists/column-value';
import { isEmpty } from '../../engine/values/is-empty';
import { NoneChip } from '../chips/NoneChip';
import { useDefinitions } from '../data/DefinitionsContext';
import { FieldCell } from '../fields/displays';

interface SourceCellProps {
  source: ColumnSource;
  record: ResourceRecord;
  /** In a grid: whether the cell has the focus. */
  focused?: boolean;
}

/** The cell of a column or card line: the value as its type shows it, or the field's text for empty values. */
export function SourceCell({ source, record, focused }: SourceCellProps) {
  const { registry } = useDefinitions();
  const { field, definition } = source;
  const value = source.value(record);
  if (field.emptyText !== undefined && isEmpty(value)) {
    return <NoneChip definition={registry.get(field.to)}>{field.emptyText}</NoneChip>;
  }
  return <FieldCell {...{ field, value, definition, registry, focused }} record={source.record(record)} />;
}
