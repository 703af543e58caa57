import type { Field, ResourceRecord } from '../../../engine/definitions/definition';
import { fieldTypeOf } from '../../../engine/field-types';
import type { Choice, ChoiceSource } from '../../choices/choice';
import { useChoiceTitles } from '../../choices/useChoiceTitles';

interface CellTextProps {
  column: Field;
  row: ResourceRecord;
  value: unknown;
  choices: ChoiceSource | undefined;
}

/** A cell as text: titles instead of ids, no markup. */
export function CellText({ column, row, value, choices }: CellTextProps) {
  if (value === null || value === undefined || value === '') return null;
  if (column.to !== undefined && choices) return <Title source={choices} id={value as Choice['id']} />;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  const { toPlainText, toText } = fieldTypeOf(column);
  return toPlainText ? toPlainText(value) : toText(value, column, row);
}

function Title({ source, id }: { source: ChoiceSource; id: Choice['id'] }) {
  return useChoiceTitles(source, [id]).choice(id).title;
}
