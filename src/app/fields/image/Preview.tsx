import { useEffect, useState } from 'react';
import { isFileValue } from '../../../engine/field-types/stored-files';
import * as styles from './image.module.css';

/** The picture, its name and size; a stored one opens in a new tab. */
export function Preview({ value }: { value: unknown }) {
  const local = useObjectUrl(value);
  if (value instanceof File) {
    return (
      <>
        <img className={styles.pictureShot} src={local} alt="" />
        <Caption name={value.name} size={value.size} />
      </>
    );
  }
  if (!isFileValue(value)) return null;
  return (
    <>
      <a href={value.url} target="_blank" rel="noreferrer" aria-label={`Open ${value.name}`}>
        <img className={styles.pictureShot} src={value.url} alt="" />
      </a>
      <Caption name={value.name} size={value.size} />
    </>
  );
}

function Caption({ name, size }: { name: string; size: number }) {
  return (
    <span className={styles.pictureName}>
      <b title={name}>{name}</b>
      <span>{formatFileSize(size)}</span>
    </span>
  );
}

/** Milliseconds in which a picture that is no longer shown may still be loading: its address has to be valid until then. */
const loadingTime = 60_000;

/** An object URL to show a file that is not uploaded yet. */
function useObjectUrl(value: unknown): string | undefined {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (!(value instanceof File)) return;
    const objectUrl = URL.createObjectURL(value);
    setAddress(objectUrl);
    return () => void setTimeout(() => URL.revokeObjectURL(objectUrl), loadingTime);
  }, [value]);
  return address;
}

/** `740 B`, `12 kB`, `3.4 MB`. */
function formatFileSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
