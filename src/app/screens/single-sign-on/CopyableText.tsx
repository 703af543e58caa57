import { useState } from 'react';
import { Icon } from '../../icons/Icon';

/** Text with a button that copies it. */
export function CopyableText({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState(false);
  return (
    <span className="sso-copied">
      <code>{text}</code>
      <button
        type="button"
        className="plain-button"
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
