import { ChoiceProperty } from './ChoiceProperty';
import { SuggestedProperty } from './SuggestedProperty';
import { useStateOptions } from './useStateOptions';

/** The state of new records: one of those that the field at a place can have. */
export function InitialProperty({ at, label }: { at: string; label: string }) {
  const { options, free } = useStateOptions(at.split('/')[2]!);
  return free ? (
    <SuggestedProperty {...{ at, label }} ways={options} />
  ) : (
    <ChoiceProperty {...{ at, label }} ways={options} none="Default" />
  );
}
