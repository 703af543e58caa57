import type { Definition, Kanban, ResourceRecord } from '../../../engine/definitions/definition';
import { resolveColumn, countOf, formattedSumOf } from '../../../engine/lists/column-value';
import { isLate } from '../../../engine/lists/kanban';
import { formatDate, shortDay } from '../../../engine/formats/dates';
import { formatNumber } from '../../../engine/formats/numbers';
import { fieldOf } from '../../../engine/definitions/accessors';
import { useDefinitions } from '../../data/DefinitionsContext';
import { Icon } from '../../icons/Icon';
import { CardPerson } from '../cards/CardPerson';
import { CardValue } from '../cards/CardValues';
import * as styles from './kanban.module.css';

interface CardFootProps {
  definition: Definition;
  kanban: Kanban;
  record: ResourceRecord;
  /** `YYYY-MM-DD`. */
  today: string;
}

/** Due date, counts of related records, and the person responsible. */
export function CardFoot({ definition, kanban, record, today }: CardFootProps) {
  const { registry } = useDefinitions();
  const { due: dueField } = kanban;
  const dueDate = dueField === undefined ? undefined : record[dueField];
  return (
    <div className={`${styles.boardFoot} num`}>
      {dueField !== undefined && typeof dueDate === 'string' && (
        <CardValue field={dueField}>
          <span
            className={styles.boardDue}
            data-late={isLate(kanban, record) || undefined}
            title={`${fieldOf(definition, dueField).label}: ${formatDate(dueDate.slice(0, 10))}`}
          >
            <Icon name="calendar" size={14} />
            <span className="unseen">{fieldOf(definition, dueField).label} </span>
            {shortDay(dueDate, today)}
          </span>
        </CardValue>
      )}
      {kanban.counts.map((path) => {
        const source = resolveColumn(path, definition, registry);
        if (!source) return null;
        const value = source.value(record);
        // A user who may not list them sees no count.
        if (value === undefined) return null;
        const count = countOf(value);
        const relatedDefinition = source.field.inverse && registry.get(source.field.inverse.resource);
        const sum = formattedSumOf(source, record, relatedDefinition);
        return (
          <span key={path} title={`${formatNumber(count)} ${source.field.label}${sum === undefined ? '' : `: ${sum}`}`}>
            <Icon name={relatedDefinition?.menu?.icon ?? 'list'} size={14} />
            {sum ?? formatNumber(count)}
            <span className="unseen"> {source.field.label}</span>
          </span>
        );
      })}
      <CardPerson person={kanban.person} className={styles.boardPerson} {...{ definition, record }} />
    </div>
  );
}
