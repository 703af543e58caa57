import type { DefinitionChange } from '../../../engine/studio/diff-definitions';
import { EmptyState } from '../../states/EmptyState';
import { ChangeText } from './ChangeText';
import * as styles from './versions.module.css';

/** The list of changes in words. */
export function ChangesInWords({ changes }: { changes: readonly DefinitionChange[] }) {
  if (changes.length === 0) return <EmptyState title="No differences" sentence="Both are the same." />;
  return (
    <ul className={styles.compareWords} aria-label="What differs">
      {changes.map((change, index) => (
        <li key={index}>
          <ChangeText change={change} />
        </li>
      ))}
    </ul>
  );
}
