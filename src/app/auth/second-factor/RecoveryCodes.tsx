import { useState } from 'react';
import { Icon } from '../../icons/Icon';
import * as styles from './second-factor.module.css';

export interface RecoveryCodesProps {
  codes: readonly string[];
  /** The heading above the codes. */
  title: string;
  isKept: boolean;
  onKept: (kept: boolean) => void;
}

/** Recovery codes, shown once, to copy, download or print. */
export function RecoveryCodes({ codes, title, isKept, onKept }: RecoveryCodesProps) {
  const [message, setMessage] = useState('');
  const text = `${codes.join('\n')}\n`;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setMessage('Copied');
    } catch {
      setMessage('The browser blocked copying. Select the codes instead.');
    }
  };
  const download = () => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
    link.download = 'assay-recovery-codes.txt';
    link.click();
    URL.revokeObjectURL(link.href);
  };
  const print = () => {
    document.body.dataset.printing = 'codes';
    window.print();
    delete document.body.dataset.printing;
  };
  return (
    <section className={styles.recoveryCodes} aria-label={title}>
      <header>
        <b>{title}</b>
        <span>each works once, if the phone is lost</span>
        <div className={styles.recoveryWays}>
          <button type="button" className={styles.plainButton} onClick={() => void copy()}>
            <Icon name="copy" />
            Copy
          </button>
          <button type="button" className={styles.plainButton} onClick={download}>
            <Icon name="download" />
            Download
          </button>
          <button type="button" className={styles.plainButton} onClick={print}>
            <Icon name="print" />
            Print
          </button>
        </div>
      </header>
      <ul>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <p role="status" className={message ? undefined : 'unseen'}>
        {message}
      </p>
      <label className={styles.plainCheck}>
        <input type="checkbox" checked={isKept} onChange={(event) => onKept(event.target.checked)} />I have kept them in
        a safe place
      </label>
    </section>
  );
}
