import { memo } from 'react';
import { isSharable } from '../../../../engine/definitions/check-shares';
import type { Registry } from '../../../../engine/definitions/registry';
import type { FieldSource, Source } from '../../../../engine/definitions/source';
import type { FieldKeyOption } from '../../../../engine/studio/type-keys';
import { useDefinitions } from '../../../admin/DefinitionsContext';
import { useDraftPart } from '../draft';
import { completeField } from '../fields/entries';
import { ChoiceProperty, MultiChoiceProperty, type Option } from './ChoiceProperty';
import { ComputedProperty } from './ComputedProperty';
import { JsonProperty } from './JsonProperty';
import { OptionsProperty } from './OptionsProperty';
import { ResourceProperty } from './ResourceProperty';
import { SwitchProperty } from './SwitchProperty';
import { inverseOptions, targetOptions } from './relationOptions';
import { NumberProperty, TextProperty } from './TextProperty';
import { fieldOptions } from './fieldOptions';

interface KeyInputProps {
  /** The field's name. */
  name: string;
  part: FieldKeyOption;
}

/** The input for one key of a field's definition. */
export const KeyInput = memo(function KeyInput({ name, part }: KeyInputProps) {
  const { registry } = useDefinitions();
  const ways = useDraftPart(({ source }) => waysOf(source, name, part, registry));
  const { label } = part;
  const at = `/fields/${name}/${part.key}`;
  switch (part.input) {
    case 'number':
      return <NumberProperty {...{ at, label }} />;
    case 'switch':
      return <SwitchProperty {...{ at, label }} usual={part.usual} />;
    case 'choice':
      return <ChoiceProperty {...{ at, label, ways }} none="Default" />;
    case 'field':
      return <ChoiceProperty {...{ at, label, ways }} none="None" />;
    case 'resource':
      return <ResourceProperty {...{ at, label }} />;
    case 'inverse':
      return <ChoiceProperty {...{ at, label, ways }} wide />;
    case 'targetFields':
    case 'inverseFields':
      return <MultiChoiceProperty {...{ at, label, ways }} wide usual="Only its name" />;
    case 'sharedFields':
      return <MultiChoiceProperty {...{ at, label, ways }} wide usual="Only the title" />;
    case 'options':
      return <OptionsProperty at={at} />;
    case 'computed':
      return <ComputedProperty {...{ at, name }} />;
    case 'value':
      return <JsonProperty {...{ at, label }} usual="None" />;
    default:
      return <TextProperty {...{ at, label }} />;
  }
});

const noWays: readonly Option[] = [];

/** What can be chosen for a key of a field. */
function waysOf(source: Source, name: string, part: FieldKeyOption, registry: Registry): readonly Option[] {
  const { types = [] } = part;
  switch (part.input) {
    case 'choice':
      return part.choices ?? noWays;
    case 'field': {
      const own = completeField(source, name).type;
      const fits = ({ type = 'text' }: FieldSource) => (types.length === 0 ? type === own : types.includes(type));
      return fieldOptions(source, (one, key) => key !== name && fits(one));
    }
    case 'inverse':
      return inverseOptions(registry, source.name);
    case 'targetFields':
    case 'inverseFields':
      return targetOptions(registry, source, completeField(source, name));
    case 'sharedFields':
      return fieldOptions(source, ({ type = 'text', virtual }) => !virtual && isSharable(type));
    default:
      return noWays;
  }
}
