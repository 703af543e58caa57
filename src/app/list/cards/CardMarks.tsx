import type { Card, Definition, ResourceRecord } from '../../../engine/definitions/definition';
import { columnSource } from '../../../engine/lists/column-value';
import { isEmpty } from '../../../engine/validation/check-values';
import { useDefinitions } from '../../admin/DefinitionsContext';
import { RowMark } from '../RowMark';
import { SourceCell } from '../SourceCell';

interface CardMarksProps {
  card: Card;
  definition: Definition;
  record: ResourceRecord;
}

/** What a card says at a glance, such as how urgent it is: values side by side, those that are there, and the record's own mark. */
export function CardMarks({ card, definition, record }: CardMarksProps) {
  const { registry } = useDefinitions();
  const sources = card.marks.flatMap((path) => columnSource(path, definition, registry) ?? []);
  const shown = sources.filter((source) => !isEmpty(source.value(record)) || source.field.empty !== undefined);
  return (
    <div className="card-marks">
      {shown.map((source) => (
        <SourceCell key={source.field.name} source={source} record={record} />
      ))}
      <RowMark definition={definition} record={record} />
    </div>
  );
}
