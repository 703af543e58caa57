import { useEffect, useState } from 'react';
import * as styles from './second-factor.module.css';

/** A QR code for authenticators: dark on white in every theme, because cameras need that. */
export function QrCode({ text }: { text: string }) {
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
