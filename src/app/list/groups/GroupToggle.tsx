import { startTransition, useOptimistic } from 'react';
import type { Definition } from '../../../engine/definitions/definition';
import { groupTitle, type ListGroup } from '../../../engine/lists/group-rows';
import type { Grouping } from '../../../engine/lists/grouping';
import { formatNumber } from '../../../engine/formats/numbers';
import { fieldOf } from '../../../engine/definitions/accessors';
import { Icon } from '../../icons/Icon';
import { GroupName } from './GroupName';
import * as styles from './groups.module.css';

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
