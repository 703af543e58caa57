import { isSharable } from '../../../src/engine/definitions/check-shares';
import type { FieldSource } from '../../../src/engine/definitions/source';
import type { TypeKey } from '../../../src/engine/studio/type-keys';
import { useDefinitions } from '../../../src/app/admin/DefinitionsContext';
import { useDraft } from '../draft';
import { ChoiceAt, ManyAt } from './ChoiceAt';
import { Computed } from './Computed';
import { JsonAt } from './JsonAt';
import { Options } from './Options';
import { ResourceAt } from './ResourceAt';
import { SwitchAt } from './SwitchAt';
import { inverseWays, targetWays } from './targets';
import { NumberAt, TextAt } from './TextAt';
import { fieldWays } from './ways';

interface KeyInputProps {
  /** The field's name and definition. */
  name: string;
  field: FieldSource;
  part: TypeKey;
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
      return <NumberAt {...{ at, label }} />;
    case 'switch':
      return <SwitchAt {...{ at, label }} usual={part.usual} />;
    case 'choice':
      return <ChoiceAt {...{ at, label }} ways={part.choices ?? []} none="Default" />;
    case 'field':
      return (
        <ChoiceAt {...{ at, label }} none="None" ways={fieldWays(source, (one, key) => key !== name && fits(one))} />
      );
    case 'resource':
      return <ResourceAt {...{ at, label }} />;
    case 'inverse':
      return <ChoiceAt {...{ at, label }} wide ways={inverseWays(registry, source.name)} />;
    case 'targetFields':
    case 'inverseFields':
      return <ManyAt {...{ at, label }} wide ways={targetWays(registry, source, field)} usual="Only its name" />;
    case 'sharedFields':
      return (
        <ManyAt
          {...{ at, label }}
          wide
          usual="Only the title"
          ways={fieldWays(source, ({ type = 'text', virtual }) => !virtual && isSharable(type))}
        />
      );
    case 'options':
      return <Options at={at} />;
    case 'computed':
      return <Computed at={at} type={field.type ?? 'text'} />;
    case 'value':
      return <JsonAt {...{ at, label }} usual="None" />;
    default:
      return <TextAt {...{ at, label }} />;
  }
}
