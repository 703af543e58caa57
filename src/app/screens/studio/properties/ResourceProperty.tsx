import { useDefinitions } from '../../../admin/DefinitionsContext';
import { useDraft } from '../draft';
import { ChoiceProperty } from './ChoiceProperty';
import type { PropertyProps } from './TextProperty';

/** A select for the name of a module. */
export function ResourceProperty(props: PropertyProps) {
  const { registry } = useDefinitions();
  const { source } = useDraft();
  const known = [...registry.definitions.values()].map(({ name, labels }) => ({ value: name, label: labels.many }));
  const own = { value: source.name, label: source.labels.many };
  const ways = [...known.filter(({ value }) => value !== own.value), own].sort((one, other) =>
    one.label.localeCompare(other.label),
  );
  return <ChoiceProperty {...props} ways={ways} />;
}
