import type { Card, Definition, ResourceRecord } from '../../../engine/definitions/definition';
import { resolveColumn } from '../../../engine/lists/column-value';
import { isEmpty } from '../../../engine/validation/is-empty';
import { useDefinitions } from '../../admin/DefinitionsContext';
import { RowMark } from '../RowMark';
import { SourceCell } from '../SourceCell';
import * as styles from '../list.module.css';

interface CardMarksProps {
  card: Card;
  definition: Definition;
  record: ResourceRecord;
}

/** Values shown side by side on a card, such as the priority, and the record's highlight. */
export function CardMarks({ card, definition, record }: CardMarksProps) {
  const { registry } = useDefinitions();
  const sources = card.marks.flatMap((path) => resolveColumn(path, definition, registry) ?? []);
  const shown = sources.filter((source) => !isEmpty(source.value(record)) || source.field.empty !== undefined);
  return (
    <div className={styles.cardMarks}>
      {shown.map((source) => (
        <SourceCell key={source.field.name} source={source} record={record} />
      ))}
      <RowMark definition={definition} record={record} />
    </div>
  );
}
