import type { Definition } from '../../../engine/definitions/definition';
import { groupTitle, type ListGroup } from '../../../engine/lists/group-rows';
import type { Grouping } from '../../../engine/lists/grouping';
import { fieldOf } from '../../../engine/definitions/accessors';
import { useDefinitions } from '../../data/DefinitionsContext';
import { RecordChip, ToneChip } from '../../chips/RecordChip';
import * as styles from './groups.module.css';

interface GroupNameProps {
  definition: Definition;
  grouping: Grouping;
  group: ListGroup;
}

/** The value of a group as its list shows it: a record with its mark, an option in its tone, or a period in words. */
export function GroupName({ definition, grouping, group }: GroupNameProps) {
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
