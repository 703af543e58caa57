import { useState, type ReactNode, useEffect } from 'react';
import { Icon } from '../../icons/Icon';
import { SixDigits } from '../SixDigits';
import * as styles from './second-factor.module.css';

export interface AuthenticatorSetupProps {
  secret: string;
  uri: string;
  code: string;
  onCode: (code: string) => void;
  /** The error of the code. */
  error?: string;
  /** Shown beside the digits. */
  children?: ReactNode;
}

/** Sets up an authenticator: the QR code or key, and the digits that it then shows. */
export function AuthenticatorSetup({ secret, uri, code, onCode, error, children }: AuthenticatorSetupProps) {
  const [isCopied, setIsCopied] = useState(false);
  const key = secret.replaceAll(/.{4}(?=.)/g, '$& ');
  const copy = () => void navigator.clipboard?.writeText(secret).then(() => setIsCopied(true));
  return (
    <div className={styles.authenticatorSetup}>
      <QrCode text={uri} />
      <div>
        <b>1. Scan with your authenticator</b>
        <p className={styles.authenticatorKey}>
          Cannot scan? Type this key: <code>{key}</code>{' '}
          <button type="button" className={styles.plainButton} data-quiet="" onClick={copy}>
            <Icon name="copy" />
            {isCopied ? 'Copied' : 'Copy'}
          </button>
        </p>
        <b>2. Type the six digits it shows</b>
        <div className={styles.authenticatorDigits}>
          <SixDigits
            value={code}
            onChange={onCode}
            invalid={Boolean(error)}
            describedBy={error ? 'authenticator-error' : undefined}
          />
          {children}
        </div>
        <div role="alert">
          {error && (
            <p id="authenticator-error" className={styles.authenticatorError}>
              <Icon name="warning" size={14} />
              {error}
            </p>
          )}
        </div>
      </div>
    </div>
  );
}

/** A QR code for authenticators: dark on white in every theme, because cameras need that. */
function QrCode({ text }: { text: string }) {
  const [source, setSource] = useState('');
  useEffect(() => {
    let isMounted = true;
    void import('qrcode')
      .then(({ default: qr }) => qr.toString(text, { type: 'svg', margin: 1, errorCorrectionLevel: 'M' }))
      .then((svg) => isMounted && setSource(`data:image/svg+xml,${encodeURIComponent(svg)}`));
    return () => {
      isMounted = false;
    };
  }, [text]);
  return <div className={styles.qrCode}>{source && <img src={source} alt="QR code for your authenticator" />}</div>;
}
