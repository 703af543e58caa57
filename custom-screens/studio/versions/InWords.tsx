import type { Change } from '../../../src/engine/studio/changes';
import { EmptyState } from '../../../src/app/states/EmptyState';
import { ChangeText } from './ChangeText';

/** What differs, in words, one below the other. */
export function InWords({ changes }: { changes: readonly Change[] }) {
  if (changes.length === 0) return <EmptyState title="Nothing differs" sentence="Both say the same." />;
  return (
    <ul className="compare-words" aria-label="What differs">
      {changes.map((change, index) => (
        <li key={index}>
          <ChangeText change={change} />
        </li>
      ))}
    </ul>
  );
}
