import Button from '@mui/material/Button';
import { useEffect, useId, useRef, useState } from 'react';
import { reportError } from '../../admin/ErrorToasts';
import { productTitle } from '../../brand/productTitle';
import { Icon } from '../../icons/Icon';
import { fileNameOf, saveFile } from '../../list/export/download';
import { requestApi } from '../../session/api';

/** A download of everything that is stored about the user. */
export function DataDownload() {
  const id = useId();
  const [busy, setBusy] = useState(false);
  const leaving = useRef<AbortController | null>(null);
  useEffect(() => () => leaving.current?.abort(), []);
  const download = async () => {
    const control = (leaving.current = new AbortController());
    setBusy(true);
    try {
      const answer = await requestApi('/profile/data', { signal: control.signal });
      saveFile(await answer.blob(), fileNameOf(answer) ?? 'my-data.json');
    } catch (error) {
      reportError(error as Error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <section className="form-section" aria-labelledby={id}>
      <div className="form-purpose">
        <h2 id={id}>Your data</h2>
        <p>What {productTitle()} stores about you.</p>
      </div>
      <div className="security-card">
        <div className="security-row security-stacked">
          <span>
            <b>Everything in one file</b>
            <small>
              Profile, sign-ins, notifications, changes, files and the records that you created or are named in, as
              JSON.
            </small>
          </span>
          <Button
            variant="outlined"
            aria-disabled={busy}
            startIcon={<Icon name="download" />}
            onClick={() => !busy && void download()}
          >
            {busy ? 'Downloading…' : 'Download your data'}
          </Button>
        </div>
      </div>
    </section>
  );
}
