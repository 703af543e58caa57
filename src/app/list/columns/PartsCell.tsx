import type { Column, Definition, ResourceRecord } from '../../../engine/definitions/definition';
import { formatNumber } from '../../../engine/formats/numbers';
import { percentOf } from '../../../engine/formats/shares';
import { Icon } from '../../icons/Icon';
import * as styles from './columns.module.css';

interface PartsCellProps {
  parts: NonNullable<Column['parts']>;
  definition: Definition;
  record: ResourceRecord;
}

/** The numbers that a column consists of: a bar with the per cent that is done, and below it each number with its symbol. */
export function PartsCell({ parts, definition, record }: PartsCellProps) {
  const counts = parts.map((part) => ({
    ...part,
    label: definition.fields[part.field]?.label ?? part.field,
    count: Number(record[part.field] ?? 0),
  }));
  const positiveCounts = counts.filter(({ count }) => count > 0);
  const sum = (entries: typeof counts) => entries.reduce((total, { count }) => total + count, 0);
  const total = sum(counts);
  const donePercent = percentOf(sum(counts.filter(({ isRemainder }) => !isRemainder)), total) ?? 0;
  const hasRest = parts.some(({ isRemainder }) => isRemainder);
  const words = positiveCounts.map(({ label, count }) => `${label} ${formatNumber(count)}`).join(', ') || 'None';
  return (
    <span
      className={styles.columnParts}
      role="img"
      aria-label={hasRest ? `${donePercent}% done: ${words}` : words}
      title={words}
    >
      <span className={styles.partsBar}>
        {positiveCounts.map(({ field, tone, isRemainder, count }) => (
          <i key={field} data-tone={tone} data-rest={isRemainder || undefined} style={{ flexGrow: count }} />
        ))}
      </span>
      {hasRest && <span className={`${styles.partsDone} num`}>{donePercent}%</span>}
      <span className={styles.partsNumbers}>
        {positiveCounts.map(({ field, tone, icon, count }) => (
          <span key={field} data-tone={tone}>
            {icon && <Icon name={icon} size={14} />}
            <span className="num">{formatNumber(count)}</span>
          </span>
        ))}
      </span>
    </span>
  );
}
