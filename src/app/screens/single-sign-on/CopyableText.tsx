import { useState } from 'react';
import { Icon } from '../../icons/Icon';
import * as secondFactorStyles from '../../second-factor/second-factor.module.css';
import * as styles from './single-sign-on.module.css';

/** Text with a button that copies it. */
export function CopyableText({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState(false);
  return (
    <span className={styles.ssoCopied}>
      <code>{text}</code>
      <button
        type="button"
        className={secondFactorStyles.plainButton}
        data-quiet=""
        onClick={() => void navigator.clipboard?.writeText(text).then(() => setCopied(true))}
      >
        <Icon name="copy" />
        {copied ? 'Copied' : 'Copy'}
        <span className="unseen"> the {label}</span>
      </button>
    </span>
  );
}
