import type { Card, Definition, ResourceRecord } from '../../../engine/definitions/definition';
import { resolveColumn } from '../../../engine/lists/column-value';
import { isEmpty } from '../../../engine/values/is-empty';
import { useDefinitions } from '../../data/DefinitionsContext';
import { Icon } from '../../icons/Icon';
import { ColumnCell } from '../ColumnCell';
import { CardValue } from './CardValues';
import * as styles from './cards.module.css';

interface CardLineProps {
  line: Card['lines'][number];
  definition: Definition;
  record: ResourceRecord;
}

/** A line of a card: an icon (with the label for screen readers) and the value; nothing without a value. */
export function CardLine({ line, definition, record }: CardLineProps) {
  const { registry } = useDefinitions();
  const source = resolveColumn(line.field, definition, registry);
  if (!source || (isEmpty(source.value(record)) && source.field.emptyText === undefined)) return null;
  const column = definition.list.columns.find(({ field }) => field === line.field);
  const label = column?.label ?? source.field.label;
  return (
    <div className={styles.cardLine}>
      <dt>
        {line.icon ? <Icon name={line.icon} /> : null}
        <span className={line.icon || column?.parts ? 'unseen' : undefined}>{label}</span>
      </dt>
      <dd>
        <CardValue field={line.field}>
          <ColumnCell {...{ column, definition, source, record }} />
        </CardValue>
      </dd>
    </div>
  );
}
