import { startTransition, useOptimistic } from 'react';
import type { Definition, TotalFunction } from '../../../engine/definitions/definition';
import { groupTitle, type ListGroup, totalLabels, totalText, type Figures } from '../../../engine/lists/group-rows';
import type { Grouping } from '../../../engine/lists/grouping';
import { formatNumber } from '../../../engine/formats/numbers';
import { fieldOf } from '../../../engine/definitions/accessors';
import { Icon } from '../../icons/Icon';
import * as styles from './groups.module.css';
import { useDefinitions } from '../../data/DefinitionsContext';
import { RecordChip, ToneChip } from '../../chips/RecordChip';

/** A word before what is not the sum. */
const words: Readonly<Record<TotalFunction, string>> = {
  sum: '',
  avg: 'avg',
  min: 'min',
  max: 'max',
  count: 'values',
};

interface TotalProps {
  definition: Definition;
  field: string;
  take: TotalFunction;
  figures: Figures;
}

/** A total of a column: `€4,200.00`, `avg 42`. */
export function Total({ definition, field: name, take, figures }: TotalProps) {
  const field = fieldOf(definition, name);
  const text = totalText(figures, field, take);
  if (text === '') return null;
  return (
    <span className={`${styles.groupTotal} num`} title={`${totalLabels[take]} of ${field.label}: ${text}`}>
      <span className="unseen">{`${totalLabels[take]} `}</span>
      {words[take] && (
        <span className={styles.groupTake} aria-hidden="true">
          {words[take]}
        </span>
      )}
      {text}
    </span>
  );
}

interface TotalsTextProps {
  definition: Definition;
  totals: Readonly<Record<string, TotalFunction>>;
  figures: Figures;
}

/** Totals with the labels of their columns, where these are not above them. */
export function TotalsText({ definition, totals, figures }: TotalsTextProps) {
  return Object.entries(totals).map(([name, take]) =>
    totalText(figures, fieldOf(definition, name), take) === '' ? null : (
      <span key={name} className={styles.groupLabelled}>
        {fieldOf(definition, name).label} <Total {...{ definition, take, figures }} field={name} />
      </span>
    ),
  );
}

interface GroupToggleProps {
  definition: Definition;
  grouping: Grouping;
  group: ListGroup;
  isClosed: boolean;
  tabIndex?: number;
  onToggle: (key: string) => void;
}

/** The heading of a group, which opens and closes it: name and number of records. */
export function GroupToggle({ definition, grouping, group, isClosed, tabIndex, onToggle }: GroupToggleProps) {
  const { count } = group;
  const { one: singular, many: plural } = definition.labels;
  const title = groupTitle(group, grouping, fieldOf(definition, grouping.field));
  // The heading answers at once, before the rows below it are rendered.
  const [looksClosed, showClosed] = useOptimistic(isClosed);
  const toggle = () =>
    startTransition(() => {
      showClosed(!looksClosed);
      onToggle(group.key);
    });
  return (
    <button
      type="button"
      className={styles.groupToggle}
      aria-expanded={!looksClosed}
      aria-label={
        count === undefined
          ? title
          : `${title}, ${formatNumber(count)} ${(count === 1 ? singular : plural).toLowerCase()}`
      }
      tabIndex={tabIndex}
      onClick={toggle}
    >
      <Icon name={looksClosed ? 'chevron-right' : 'chevron-down'} size={14} />
      <GroupName {...{ definition, grouping, group }} />{' '}
      {count !== undefined && <span className={`${styles.groupCount} num`}>{formatNumber(count)}</span>}
    </button>
  );
}

interface GroupNameProps {
  definition: Definition;
  grouping: Grouping;
  group: ListGroup;
}

/** The value of a group as its list shows it: a record with its mark, an option in its tone, or a period in words. */
function GroupName({ definition, grouping, group }: GroupNameProps) {
  const { registry } = useDefinitions();
  const field = fieldOf(definition, grouping.field);
  const title = groupTitle(group, grouping, field);
  if (group.key === '') return <span className={styles.groupNone}>{title}</span>;
  const tone = field.options?.find(({ value }) => String(value) === group.key)?.tone;
  if (tone) return <ToneChip tone={tone}>{title}</ToneChip>;
  const target = registry.get(field.to);
  if (!target) return <span className={styles.groupName}>{title}</span>;
  return (
    <span className={styles.groupName}>
      <RecordChip definition={target} record={{ id: group.value }}>
        {title}
      </RecordChip>
    </span>
  );
}
