import { missingWords } from './newPassword';
import { useStrength } from './useStrength';
import * as styles from './passwords.module.css';

const strengthLabels = ['Very easy to guess', 'Easy to guess', 'Could be stronger', 'Strong', 'Very strong'] as const;

interface StrengthMeterProps {
  password: string;
  /** Personal values of the account: names, address, company. */
  personal?: readonly string[];
}

const noTexts: readonly string[] = [];

/** Shows what a new password still needs, and how hard it is to guess, as text and bar. Nothing until it is typed. */
export function StrengthMeter({ password, personal = noTexts }: StrengthMeterProps) {
  const strength = useStrength(password, personal);
  return (
    <>
      <p className={styles.passwordMissing} aria-live="polite">
        {missingWords(password)}
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
