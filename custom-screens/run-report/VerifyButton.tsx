import { useState } from 'react';
import { Icon } from '../../src/app/icons/Icon';
import { fetchApi } from '../../src/app/session/api';
import * as styles from './run-report.module.css';

interface VerifyButtonProps {
  link: string;
  fingerprint: string;
}

/** Loads the results and attempts behind a public link as text, and hashes them in this browser. */
export function VerifyButton({ link, fingerprint }: VerifyButtonProps) {
  const [outcome, setOutcome] = useState<{ words: string; isMatch?: boolean }>();
  const [text, setText] = useState<string>();
  const verify = async () => {
    setOutcome({ words: 'Recomputing…' });
    try {
      const state = await loadState(link);
      setText(state);
      // Browsers hash on secure pages only; the text can be hashed by any other program.
      if (!globalThis.crypto?.subtle)
        return setOutcome({ words: 'This page is not secure, so the browser cannot hash. Download the text instead.' });
      const isMatch = (await sha256(state)) === fingerprint;
      setOutcome({
        isMatch,
        words: isMatch
          ? 'Recomputed from every attempt: it is the same.'
          : 'It is another one: results changed since this page was loaded. Reload it.',
      });
    } catch (error) {
      setOutcome({ words: (error as Error).message, isMatch: false });
    }
  };
  return (
    <div className={styles.verify}>
      <button type="button" onClick={() => void verify()}>
        <Icon name="check" />
        Verify
      </button>
      {text !== undefined && (
        <a href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`} download="state-of-run.txt">
          Download what is hashed
        </a>
      )}
      <p role="status" data-same={outcome?.isMatch}>
        {outcome?.words}
      </p>
    </div>
  );
}

async function loadState(link: string): Promise<string> {
  const init = { method: 'POST', json: { link }, anonymous: true };
  const { data } = await fetchApi<{ data: { text: string } | null }>('/shared-run-state', init);
  if (!data) throw new Error('This link is not valid any more.');
  return data.text;
}

/** Of the text in UTF-8, in hexadecimal. */
async function sha256(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
