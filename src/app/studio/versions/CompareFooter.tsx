import Button from '@mui/material/Button';
import { useEffect, useEffectEvent } from 'react';
import type { DefinitionChange } from '../../../engine/studio/diff-definitions';
import { Icon } from '../../icons/Icon';
import { ChangeText } from './ChangeText';
import * as styles from './versions.module.css';

interface CompareFooterProps {
  changes: readonly DefinitionChange[];
  /** The number of differences, and the current one (from 0; -1: none yet). */
  count: number;
  position: number;
  onGo: (to: number) => void;
}

/** A summary of the changes, and buttons (keys N and P) to go to the next and previous difference. */
export function CompareFooter({ changes, count, position, onGo }: CompareFooterProps) {
  const go = (steps: number) =>
    count > 0 && onGo(position < 0 && steps < 0 ? count - 1 : (position + steps + count) % count);
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const steps = { n: 1, p: -1 }[event.key];
    if (steps === undefined) return;
    // These keys mean something else on other screens.
    event.preventDefault();
    go(steps);
  });
  useEffect(() => {
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return (
    <footer className={styles.compareFoot}>
      <ul aria-label="What differs, in short" tabIndex={0}>
        {changes.map((change, index) => (
          <li key={index}>
            <ChangeText change={change} />
          </li>
        ))}
      </ul>
      {count > 0 && (
        <>
          <span className={`${styles.compareAt} num`} role="status">
            {position >= 0 && `${position + 1} of ${count}`}
          </span>
          <Button
            variant="outlined"
            aria-keyshortcuts="p"
            startIcon={<Icon name="chevron-up" />}
            onClick={() => go(-1)}
          >
            Previous <kbd aria-hidden="true">P</kbd>
          </Button>
          <Button
            variant="outlined"
            aria-keyshortcuts="n"
            startIcon={<Icon name="chevron-down" />}
            onClick={() => go(1)}
          >
            Next <kbd aria-hidden="true">N</kbd>
          </Button>
        </>
      )}
    </footer>
  );
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, [contenteditable=true], [role=menu]') !== null;
}
