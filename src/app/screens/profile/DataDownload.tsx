import Button from '@mui/material/Button';
import { useEffect, useId, useRef, useState } from 'react';
import { reportError } from '../../data/ErrorToasts';
import { productTitle } from '../../brand/productTitle';
import { Icon } from '../../icons/Icon';
import { fileNameOf, saveFile } from '../../actions/download';
import { requestApi } from '../../session/api';
import * as formStyles from '../../form/form.module.css';
import * as styles from './security.module.css';

/** A download of everything that is stored about the user. */
export function DataDownload() {
  const id = useId();
  const [isBusy, setIsBusy] = useState(false);
  const abortController = useRef<AbortController | null>(null);
  useEffect(() => () => abortController.current?.abort(), []);
  const download = async () => {
    const control = (abortController.current = new AbortController());
    setIsBusy(true);
    try {
      const answer = await requestApi('/profile/data', { signal: control.signal });
      saveFile(await answer.blob(), fileNameOf(answer) ?? 'my-data.json');
    } catch (error) {
      reportError(error as Error);
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <section className={formStyles.formSection} aria-labelledby={id}>
      <div className={formStyles.formPurpose}>
        <h2 id={id}>Your data</h2>
        <p>What {productTitle()} stores about you.</p>
      </div>
      <div className={styles.securityCard}>
        <div className={`${styles.securityRow} ${styles.securityStacked}`}>
          <span>
            <b>Everything in one file</b>
            <small>
              Profile, sign-ins, notifications, changes, files and the records that you created or are named in, as
              JSON.
            </small>
          </span>
          <Button
            variant="outlined"
            aria-disabled={isBusy}
            startIcon={<Icon name="download" />}
            onClick={() => !isBusy && void download()}
          >
            {isBusy ? 'Downloading…' : 'Download your data'}
          </Button>
        </div>
      </div>
    </section>
  );
}
