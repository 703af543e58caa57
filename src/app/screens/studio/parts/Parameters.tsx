import { useDefinitions } from '../../../admin/DefinitionsContext';
import { labelOf } from '../../../../engine/definitions/labels';
import { ConditionProperty } from '../conditions/ConditionProperty';
import { useDraft } from '../draft';
import { draftErrors, isWithin } from '../places';
import { ChoiceProperty, type Option } from '../properties/ChoiceProperty';
import { MapProperty } from '../properties/MapProperty';
import { NewName, namePattern } from '../properties/NewName';
import { PlaceErrors } from '../properties/PlaceErrors';
import { SortedList } from '../properties/SortedList';
import { TextProperty } from '../properties/TextProperty';
import { fieldOptions } from '../properties/fieldOptions';
import { useDraftValue } from '../properties/useDraftValue';
import * as styles from '../properties/properties.module.css';

const kinds: readonly Option[] = [
  { value: 'value', label: 'Any value' },
  { value: 'flag', label: 'Yes or no' },
  { value: 'span', label: 'From and to' },
  { value: 'month', label: 'A month' },
  { value: 'named', label: 'One of some names' },
  { value: 'unlimited', label: 'Lifts the limit of a list' },
];

const valuePattern = {
  is: /^[A-Za-z][A-Za-z0-9_-]*$/,
  message: 'It begins with a letter, followed by letters, digits, _ and -.',
};

type Parameter = Readonly<Record<string, unknown>>;

/** Query names that are not fields, which filters and tabs can set. */
export function Parameters() {
  const draft = useDraft();
  const { value, set } = useDraftValue('/parameters');
  const parameters = Object.entries((value ?? {}) as Readonly<Record<string, Parameter>>);
  const put = (next: typeof parameters) => set(next.length === 0 ? undefined : Object.fromEntries(next));
  return (
    <div className={styles.studioGroup}>
      <SortedList
        label="Parameters"
        items={parameters}
        none="None: filters are of fields"
        keyOf={([name]) => name}
        titleOf={([name, { label }]) => String(label ?? labelOf(name))}
        noteOf={([name]) => name}
        isWrong={([name]) => draftErrors(draft).some(({ path }) => isWithin(path, `/parameters/${name}`))}
        onMove={(from, to) => put(parameters.toSpliced(from, 1).toSpliced(to, 0, parameters[from]!))}
        onRemove={(index) => put(parameters.toSpliced(index, 1))}
      >
        {([name, parameter]) => <ParameterInputs at={`/parameters/${name}`} parameter={parameter} />}
      </SortedList>
      <NewName
        label="New parameter"
        placeholder="Its name in addresses"
        names={parameters.map(([name]) => name)}
        pattern={namePattern}
        onAdd={(name) => put([...parameters, [name, { kind: 'value' }]])}
      />
    </div>
  );
}

function ParameterInputs({ at, parameter }: { at: string; parameter: Parameter }) {
  const { source } = useDraft();
  const { registry } = useDefinitions();
  const { kind, named, export: file } = parameter;
  const modules = [...registry.definitions.values()].map(({ name, labels }) => ({ value: name, label: labels.many }));
  return (
    <>
      <PlaceErrors place={at} />
      <TextProperty at={`${at}/label`} label="Label" brief />
      <ChoiceProperty
        at={`${at}/kind`}
        label="Takes"
        ways={kinds}
        none={kind === undefined ? 'Any value' : undefined}
      />
      <ChoiceProperty at={`${at}/field`} label="Filters by the field" ways={fieldOptions(source)} none="None" brief />
      <ConditionProperty at={`${at}/where`} label="Records where" />
      <ChoiceProperty at={`${at}/to`} label="Its values are records of" ways={modules} none="None" brief />
      {(kind === 'named' || named !== undefined) && (
        <MapProperty
          at={`${at}/named`}
          label="Names"
          add="New name"
          none="None yet: the parameter needs at least one."
          pattern={valuePattern}
        >
          {(place, _, title, isNew) => <ConditionProperty at={place} label={`${title}: records where`} begin={isNew} />}
        </MapProperty>
      )}
      {(kind === 'month' || file !== undefined) && (
        <TextProperty at={`${at}/export`} label="File name of a download" usual="None" />
      )}
    </>
  );
}
