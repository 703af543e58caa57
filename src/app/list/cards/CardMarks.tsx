import type { Card, Definition, ResourceRecord } from '../../../engine/definitions/definition';
import { resolveColumn } from '../../../engine/lists/column-value';
import { isEmpty } from '../../../engine/values/is-empty';
import { useDefinitions } from '../../data/DefinitionsContext';
import { RowMark } from '../RowMark';
import { SourceCell } from '../SourceCell';
import { CardValue } from './CardValues';
import * as styles from './cards.module.css';

interface CardMarksProps {
  card: Card;
  definition: Definition;
  record: ResourceRecord;
}

/** Values shown side by side on a card, such as the priority, and the record's highlight. */
export function CardMarks({ card, definition, record }: CardMarksProps) {
  const { registry } = useDefinitions();
  const visibleMarks = card.marks.flatMap((path) => {
    const source = resolveColumn(path, definition, registry);
    return source && (!isEmpty(source.value(record)) || source.field.emptyText !== undefined) ? [{ path, source }] : [];
  });
  return (
    <div className={styles.cardMarks}>
      {visibleMarks.map(({ path, source }) => (
        <CardValue key={path} field={path}>
          <SourceCell source={source} record={record} />
        </CardValue>
      ))}
      <RowMark definition={definition} record={record} />
    </div>
  );
}
