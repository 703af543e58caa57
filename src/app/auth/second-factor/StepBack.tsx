import { Icon } from '../../icons/Icon';
import * as styles from './second-factor.module.css';

/** Goes back to the start of the sign-in. */
export function StepBack({ onBack }: { onBack: () => void }) {
  return (
    <button type="button" className={styles.stepBack} onClick={() => onBack()}>
      <Icon name="chevron-left" />
      Back
    </button>
  );
}
