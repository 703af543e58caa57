import { memo, useMemo } from 'react';
import { isSharable } from '../../../../engine/definitions/check-shares';
import type { Registry } from '../../../../engine/definitions/registry';
import { writtenTypeOf } from '../../../../engine/field-types';
import { rollup } from '../../../../engine/field-types/rollup';
import type { FieldSource, Source } from '../../../../engine/definitions/source';
import type { FieldKeyOption } from '../../../../engine/studio/type-keys';
import { useDefinitions } from '../../../admin/DefinitionsContext';
import { ConditionProperty } from '../conditions/ConditionProperty';
import { columnSubjects, moduleSubjects } from '../conditions/subjects';
import { useDraftPart } from '../draft';
import { completeField } from '../fields/entries';
import { ChoiceProperty, MultiChoiceProperty, type Option } from './ChoiceProperty';
import { ColumnsProperty } from './ColumnsProperty';
import { ComputedProperty } from './ComputedProperty';
import { DefaultProperty } from './DefaultProperty';
import { OptionsProperty } from './OptionsProperty';
import { ResourceProperty } from './ResourceProperty';
import { SuggestedProperty } from './SuggestedProperty';
import { SwitchProperty } from './SwitchProperty';
import { TransitionsProperty } from './TransitionsProperty';
import {
  inverseFieldOptions,
  inverseOptions,
  lookupOptions,
  rolledUpColumns,
  rollupOptions,
  summedFieldOptions,
  targetOptions,
} from './relationOptions';
import { NumberProperty, TextProperty } from './TextProperty';
import { fieldOptions } from './fieldOptions';
import { useStateOptions } from './useStateOptions';

/** Kinds of files that are offered; others can be typed. */
const acceptable: readonly Option[] = [
  { value: 'image/*', label: 'Pictures' },
  { value: 'application/pdf', label: 'PDF' },
  { value: 'text/*', label: 'Texts' },
  { value: 'video/*', label: 'Videos' },
  { value: 'audio/*', label: 'Sounds' },
  { value: 'application/zip', label: 'ZIP archives' },
  { value: '*/*', label: 'Every kind' },
];

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
    case 'option':
      return <StateProperty {...{ at, label, name }} />;
    case 'inverseField':
    case 'summedField':
    case 'targetField':
      return <ChoiceProperty {...{ at, label, ways }} none="Default" />;
    case 'inverseCondition':
      return <InverseCondition {...{ at, label, name }} />;
    case 'path':
      return <SuggestedProperty {...{ at, label, ways }} wide />;
    case 'transitions':
      return <TransitionsProperty {...{ at, name }} />;
    case 'options':
      return <OptionsProperty at={at} />;
    case 'columns':
      return <ColumnsProperty {...{ at, name }} />;
    case 'computed':
      return <ComputedProperty {...{ at, name }} />;
    case 'value':
      return <DefaultProperty {...{ at, label, name }} />;
    case 'accept':
      return <MultiChoiceProperty {...{ at, label }} ways={acceptable} free wide usual="Every kind" />;
    default:
      return <TextProperty {...{ at, label }} />;
  }
});

/** One of the states of the field. */
function StateProperty({ at, label, name }: { at: string; label: string; name: string }) {
  const { options, free } = useStateOptions(name);
  return free ? (
    <SuggestedProperty {...{ at, label }} ways={options} />
  ) : (
    <ChoiceProperty {...{ at, label }} ways={options} none="Default" />
  );
}

/** A condition on the records of the module that points to this one, or on the rows of the record. */
function InverseCondition({ at, label, name }: { at: string; label: string; name: string }) {
  const { registry } = useDefinitions();
  const other = useDraftPart(({ source }) => source.fields[name]?.of?.split('.')[0]);
  const columns = useDraftPart(({ source }) => rolledUpColumns(source, completeField(source, name)));
  const target = registry.get(other);
  const subjects = useMemo(
    () => (columns ? columnSubjects(columns) : target && moduleSubjects(target)),
    [columns, target],
  );
  return <ConditionProperty {...{ at, label }} {...(subjects && { subjects })} />;
}

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
      return writtenTypeOf(completeField(source, name)) === rollup
        ? rollupOptions(registry, source)
        : inverseOptions(registry, source.name);
    case 'targetField':
    case 'targetFields':
    case 'inverseFields':
      return targetOptions(registry, source, completeField(source, name));
    case 'inverseField':
      return inverseFieldOptions(registry, source, completeField(source, name));
    case 'summedField':
      return summedFieldOptions(registry, source, completeField(source, name));
    case 'path':
      return lookupOptions(registry, source);
    case 'sharedFields':
      return fieldOptions(source, ({ type = 'text', virtual }) => !virtual && isSharable(type));
    default:
      return noWays;
  }
}
