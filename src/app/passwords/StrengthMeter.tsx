import { Icon } from '../icons/Icon';
import { missingWords, partsOfPassword } from './newPassword';
import { useStrength } from './useStrength';
import * as styles from './passwords.module.css';

const strengthLabels = ['Very easy to guess', 'Easy to guess', 'Could be stronger', 'Strong', 'Very strong'] as const;

interface StrengthMeterProps {
  password: string;
  /** Personal values of the account: names, address, company. */
  personal?: readonly string[];
}

const noTexts: readonly string[] = [];

/** Shows which parts of a new password are there, and how hard it is to guess, as text and bar. Nothing until it is typed. */
export function StrengthMeter({ password, personal = noTexts }: StrengthMeterProps) {
  const strength = useStrength(password, personal);
  const parts = partsOfPassword(password);
  return (
    <>
      {parts.length > 0 && (
        <ul className={styles.passwordParts} aria-hidden="true">
          {parts.map(({ words, isMet }) => (
            <li key={words} data-met={isMet ? '' : undefined}>
              <Icon name={isMet ? 'check-circle' : 'circle'} size={14} />
              {words}
            </li>
          ))}
        </ul>
      )}
      <p className="unseen" aria-live="polite">
        {missingWords(parts)}
      </p>
      <p className={styles.passwordStrength} aria-live="polite">
        {strength && (
          <>
            <span className={styles.passwordStrengthBar} data-score={strength.score} aria-hidden="true">
              <i />
              <i />
              <i />
              <i />
            </span>
            <span className="unseen">Password strength: </span>
            {strengthLabels[strength.score]}
          </>
        )}
      </p>
    </>
  );
}
