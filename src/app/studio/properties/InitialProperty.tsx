import { ChoiceProperty } from './ChoiceProperty';
import { SuggestedProperty } from './SuggestedProperty';
import { useStateOptions } from './useStateOptions';
import { itemAt } from '../../../engine/values/lookups';

/** The state of new records: one of those that the field at a place can have. */
export function InitialProperty({ pointer, label }: { pointer: string; label: string }) {
  const { options, free } = useStateOptions(itemAt(pointer.split('/'), 2));
  return free ? (
    <SuggestedProperty {...{ pointer, label }} options={options} />
  ) : (
    <ChoiceProperty {...{ pointer, label }} options={options} emptyText="Default" />
  );
}
