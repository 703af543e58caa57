import { useDefinitions } from '../../../admin/DefinitionsContext';
import { useMemo } from 'react';
import { useDraftPart } from '../draft';
import { ChoiceProperty } from './ChoiceProperty';
import type { PropertyProps } from './TextProperty';

/** A select for the name of a module. */
export function ResourceProperty(props: PropertyProps) {
  const { registry } = useDefinitions();
  const own = useDraftPart(({ source }) => ({ value: source.name, label: source.labels.many }));
  const ways = useMemo(() => {
    const known = [...registry.definitions.values()].map(({ name, labels }) => ({ value: name, label: labels.many }));
    return [...known.filter(({ value }) => value !== own.value), own].sort((one, other) =>
      one.label.localeCompare(other.label),
    );
  }, [registry, own]);
  return <ChoiceProperty {...props} ways={ways} />;
}
