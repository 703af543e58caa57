import { isSharable } from '../../../../engine/definitions/check-shares';
import type { FieldSource } from '../../../../engine/definitions/source';
import type { FieldKeyOption } from '../../../../engine/studio/type-keys';
import { useDefinitions } from '../../../admin/DefinitionsContext';
import { useDraft } from '../draft';
import { ChoiceProperty, MultiChoiceProperty } from './ChoiceProperty';
import { ComputedProperty } from './ComputedProperty';
import { JsonProperty } from './JsonProperty';
import { OptionsProperty } from './OptionsProperty';
import { ResourceProperty } from './ResourceProperty';
import { SwitchProperty } from './SwitchProperty';
import { inverseOptions, targetOptions } from './relationOptions';
import { NumberProperty, TextProperty } from './TextProperty';
import { fieldOptions } from './fieldOptions';

interface KeyInputProps {
  /** The field's name and definition. */
  name: string;
  field: FieldSource;
  part: FieldKeyOption;
}

/** The input for one key of a field's definition. */
export function KeyInput({ name, field, part }: KeyInputProps) {
  const { source } = useDraft();
  const { registry } = useDefinitions();
  const { label, types = [] } = part;
  const at = `/fields/${name}/${part.key}`;
  const fits = ({ type = 'text' }: FieldSource) => (types.length === 0 ? type === field.type : types.includes(type));
  switch (part.input) {
    case 'number':
      return <NumberProperty {...{ at, label }} />;
    case 'switch':
      return <SwitchProperty {...{ at, label }} usual={part.usual} />;
    case 'choice':
      return <ChoiceProperty {...{ at, label }} ways={part.choices ?? []} none="Default" />;
    case 'field':
      return (
        <ChoiceProperty
          {...{ at, label }}
          none="None"
          ways={fieldOptions(source, (one, key) => key !== name && fits(one))}
        />
      );
    case 'resource':
      return <ResourceProperty {...{ at, label }} />;
    case 'inverse':
      return <ChoiceProperty {...{ at, label }} wide ways={inverseOptions(registry, source.name)} />;
    case 'targetFields':
    case 'inverseFields':
      return (
        <MultiChoiceProperty
          {...{ at, label }}
          wide
          ways={targetOptions(registry, source, field)}
          usual="Only its name"
        />
      );
    case 'sharedFields':
      return (
        <MultiChoiceProperty
          {...{ at, label }}
          wide
          usual="Only the title"
          ways={fieldOptions(source, ({ type = 'text', virtual }) => !virtual && isSharable(type))}
        />
      );
    case 'options':
      return <OptionsProperty at={at} />;
    case 'computed':
      return <ComputedProperty at={at} field={field} />;
    case 'value':
      return <JsonProperty {...{ at, label }} usual="None" />;
    default:
      return <TextProperty {...{ at, label }} />;
  }
}
