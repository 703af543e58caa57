import { Icon } from '../../icons/Icon';
import * as styles from '../shared-values.module.css';

/** A web address, opened in a new tab. */
export function WebLink({ url }: { url: string }) {
  const href = /^https?:\/\//i.test(url) ? url : `https://${url}`;
  return (
    <a className={styles.sharedWeb} href={href} target="_blank" rel="noopener noreferrer nofollow">
      <span>{url.replace(/^https?:\/\//i, '').replace(/\/$/, '')}</span>
      <Icon name="external" size={14} label="opens in a new tab" />
    </a>
  );
}
