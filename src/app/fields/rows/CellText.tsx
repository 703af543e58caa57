import type { Field, ResourceRecord } from '../../../engine/definitions/definition';
import { fieldTypeOf } from '../../../engine/field-types';
import { isMarkdown } from '../../../engine/formats/markdown';
import { MarkdownText } from '../markdown/MarkdownText';
import type { PicturesOfRecord } from '../markdown/recordPictures';
import type { Choice, ChoiceSource } from '../choices/choice';
import { useChoiceTitles } from '../choices/useChoiceTitles';

interface CellTextProps {
  column: Field;
  row: ResourceRecord;
  value: unknown;
  choices: ChoiceSource | undefined;
  pictures?: PicturesOfRecord['knownPictures'];
  /** Within a button: links are words. */
  inert?: boolean;
}

/** A cell as text: titles instead of ids, marks as they look, no markup. */
export function CellText({ column, row, value, choices, pictures, inert = false }: CellTextProps) {
  if (value === null || value === undefined || value === '') return null;
  if (column.to !== undefined && choices) return <Title source={choices} id={value as Choice['id']} />;
  if (isMarkdown(column)) return <MarkdownText text={String(value)} {...{ pictures, inert }} />;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  const { toPlainText, toText } = fieldTypeOf(column);
  return toPlainText ? toPlainText(value) : toText(value, column, row);
}

function Title({ source, id }: { source: ChoiceSource; id: Choice['id'] }) {
  return useChoiceTitles(source, [id]).choice(id).title;
}
