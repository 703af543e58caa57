import { Icon } from '../icons/Icon';

/** Goes back to the start of the sign-in. */
export function StepBack({ onBack }: { onBack: () => void }) {
  return (
    <button type="button" className="step-back" onClick={() => onBack()}>
      <Icon name="chevron-left" />
      Back
    </button>
  );
}
