import type { ResourceRecord } from '../../engine/definitions/definition';
import type { ColumnSource } from '../../engine/lists/column-value';
import { isEmpty } from '../../engine/validation/check-values';
import { NoneChip } from '../chips/NoneChip';
import { useDefinitions } from '../admin/DefinitionsContext';
import { fieldCells } from '../fields/cells';

interface SourceCellProps {
  source: ColumnSource;
  record: ResourceRecord;
  /** In a grid: whether the cell has the keyboard. */
  focused?: boolean;
}

/** What a column or a card's line shows of a record: the value as its type shows it, or what the field says where there is none. */
export function SourceCell({ source, record, focused }: SourceCellProps) {
  const { registry } = useDefinitions();
  const { field, definition } = source;
  const value = source.value(record);
  if (field.empty !== undefined && isEmpty(value)) {
    return <NoneChip definition={field.to === undefined ? undefined : registry.get(field.to)}>{field.empty}</NoneChip>;
  }
  const Cell = fieldCells[field.type];
  return <Cell {...{ field, value, definition, registry, focused }} record={source.record(record)} />;
}
