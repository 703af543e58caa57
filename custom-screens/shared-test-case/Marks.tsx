import { ToneChip } from '../../src/app/chips/RecordChip';
import { Ring, type RingProgress } from '../../src/app/chips/Ring';
import { Icon } from '../../src/app/icons/Icon';
import type { Tone } from '../../src/engine/definitions/definition';
import * as styles from '../../src/app/chips/chips.module.css';

// Visitors get names, not ids: icons and colours are chosen by the shipped names. Other names have none.
const priorities: Readonly<Record<string, Tone>> = { Urgent: 'urgent', High: 'high', Medium: 'medium', Low: 'low' };
const outcomes: Readonly<Record<string, { tone: Tone; icon: string }>> = {
  Passed: { tone: 'low', icon: 'check' },
  Failed: { tone: 'urgent', icon: 'x' },
};
const progress: Readonly<Record<string, RingProgress>> = {
  Unassigned: 0,
  'Assign To Developer': 0.25,
  'Ready for QA': 0.5,
  'Moved to Production': 0.75,
  Closed: 1,
  'Not able to Reproduce': 'stopped',
};

/** How urgent it is. */
export function PriorityMark({ title }: { title: string }) {
  return title ? <ToneChip tone={priorities[title]}>{title}</ToneChip> : null;
}

/** How it went. */
export function OutcomeMark({ title }: { title: string }) {
  const mark = outcomes[title];
  if (!title) return null;
  return (
    <span className={styles.named} data-shape="mark" data-tone={mark?.tone}>
      {mark && <Icon name={mark.icon} size={14} />}
      <span>{title}</span>
    </span>
  );
}

/** How far it is. */
export function StatusMark({ title }: { title: string }) {
  if (!title) return null;
  const titleProgress = progress[title];
  return (
    <span className={styles.named} data-shape="ring">
      {titleProgress !== undefined && <Ring progress={titleProgress} />}
      <span>{title}</span>
    </span>
  );
}
