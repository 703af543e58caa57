import type { DefinitionChange } from '../../../engine/studio/diff-definitions';
import * as chipsStyles from '../../chips/chips.module.css';
import * as studioStyles from '../studio.module.css';
import * as styles from './versions.module.css';

const kinds = {
  added: { label: 'Added', tone: 'low' },
  changed: { label: 'Changed', tone: 'medium' },
  removed: { label: 'Removed', tone: 'urgent' },
} as const;

/** A change: its kind as a chip, and its subject. */
export function ChangeText({ change: { kind, subject, text } }: { change: DefinitionChange }) {
  const { label, tone } = kinds[kind];
  return (
    <span className={styles.change}>
      <span className={`${chipsStyles.chip} ${studioStyles.studioKind}`} data-tone={tone}>
        <span>{label}</span>
      </span>
      <span>
        {subject}
        {text && `: ${text}`}
      </span>
    </span>
  );
}
