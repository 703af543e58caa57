import { Icon } from '../icons/Icon';

/** Leads back to the beginning of a sign-in. */
export function StepBack({ onBack }: { onBack: () => void }) {
  return (
    <button type="button" className="step-back" onClick={() => onBack()}>
      <Icon name="chevron-left" />
      Back
    </button>
  );
}
