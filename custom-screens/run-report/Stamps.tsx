import { formatInstant } from '../../src/engine/formats/dates';
import { Icon } from '../../src/app/icons/Icon';
import { Initials } from '../../src/app/chips/Initials';
import type { RunReport as Report } from '../../src/product/answers/run-report';
import { VerifyButton } from './VerifyButton';
import * as styles from './run-report.module.css';

interface StampsProps {
  report: Report;
  /** The link of a public report, whose readers can recompute the fingerprint. */
  link?: string;
}

/** The signatures of the run, and the fingerprint of its results and attempts. */
export function Stamps({ report: { stamps, fingerprint }, link }: StampsProps) {
  const isSigned = stamps.some(({ is_current }) => is_current);
  return (
    <section className={styles.stamp} data-signed={isSigned || undefined} aria-label="Stamp">
      <h2>
        <Icon name={isSigned ? 'check' : 'file'} />
        {isSigned ? 'Signed off' : stamps.length > 0 ? 'Changed since it was signed off' : 'Not signed off'}
      </h2>
      {stamps.length > 0 && (
        <ul>
          {stamps.map(({ name, at: instant, comment, is_current }) => (
            <li key={`${instant} ${name}`}>
              <Initials name={name ?? ''} />
              <span>
                <b>{name ?? 'A deleted account'}</b>
                <small>
                  {formatInstant(instant)}
                  {!is_current && ', before the latest change'}
                </small>
                {comment && <span className={styles.stampComment}>{comment}</span>}
              </span>
            </li>
          ))}
        </ul>
      )}
      <p className={styles.fingerprint}>
        <small>Fingerprint of this state (SHA-256)</small>
        <code>{fingerprint.replace(/(.{4})(?!$)/g, '$1 ')}</code>
      </p>
      {link !== undefined && <VerifyButton link={link} fingerprint={fingerprint} />}
    </section>
  );
}
