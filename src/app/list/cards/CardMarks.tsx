import type { Card, Definition, ResourceRecord } from '../../../engine/definitions/definition';
import { columnSource } from '../../../engine/lists/column-value';
import { isEmpty } from '../../../engine/validation/check-values';
import { useDefinitions } from '../../admin/DefinitionsContext';
import { fieldParts } from '../../fields';

interface CardMarksProps {
  card: Card;
  definition: Definition;
  record: ResourceRecord;
}

/** What a card says at a glance, such as how urgent it is: values side by side, those that are there. */
export function CardMarks({ card, definition, record }: CardMarksProps) {
  const { registry } = useDefinitions();
  const sources = card.marks.flatMap((path) => columnSource(path, definition, registry) ?? []);
  const shown = sources.filter((source) => !isEmpty(source.value(record)));
  if (shown.length === 0) return null;
  return (
    <div className="card-marks">
      {shown.map(({ field, definition: owner, value, record: holder }) => {
        const { Cell } = fieldParts[field.type];
        return (
          <Cell
            key={field.name}
            field={field}
            value={value(record)}
            record={holder(record)}
            definition={owner}
            registry={registry}
          />
        );
      })}
    </div>
  );
}
