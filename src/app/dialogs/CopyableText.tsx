import { useState } from 'react';
import { Icon } from '../icons/Icon';
import * as styles from './copyable-text.module.css';

/** Text with a button that copies it. */
export function CopyableText({ text, label }: { text: string; label: string }) {
  const [outcome, setOutcome] = useState<string>();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setOutcome('Copied');
    } catch {
      setOutcome('Select it to copy it');
    }
  };
  return (
    <span className={styles.copyable}>
      <code>{text}</code>
      <button type="button" aria-label={outcome ?? `Copy the ${label}`} onClick={() => void copy()}>
        <Icon name="copy" />
        <span aria-live="polite">{outcome ?? 'Copy'}</span>
      </button>
    </span>
  );
}
