import Button from '@mui/material/Button';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useState } from 'react';
import { useDefinitions } from '../../../admin/DefinitionsContext';
import { labelOf } from '../../../../engine/definitions/labels';
import { ConditionProperty } from '../conditions/ConditionProperty';
import { useDraft } from '../draft';
import { draftErrors, isWithin } from '../places';
import { ChoiceProperty, type Option } from '../properties/ChoiceProperty';
import { JsonProperty } from '../properties/JsonProperty';
import { LabelledInput } from '../properties/LabelledInput';
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
      <NewParameter
        names={parameters.map(([name]) => name)}
        onAdd={(name) => put([...parameters, [name, { kind: 'value' }]])}
      />
    </div>
  );
}

/** The name of a new parameter: addresses and programs use it, so it is said first. */
function NewParameter({ names, onAdd }: { names: readonly string[]; onAdd: (name: string) => void }) {
  const [typed, setTyped] = useState('');
  const fault =
    typed === ''
      ? undefined
      : !/^[a-z][A-Za-z0-9_]{0,62}$/.test(typed)
        ? 'It begins with a small letter, followed by letters, digits and _.'
        : names.includes(typed)
          ? 'There is a parameter with this name.'
          : undefined;
  const add = () => {
    if (typed === '' || fault) return;
    onAdd(typed);
    setTyped('');
  };
  return (
    <LabelledInput label="New parameter" error={fault}>
      {({ id, describedBy }) => (
        <div className={styles.studioRow}>
          <OutlinedInput
            id={id}
            size="small"
            autoComplete="off"
            placeholder="Its name in addresses"
            error={fault !== undefined}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter') add();
            }}
            slotProps={{ input: { spellCheck: false, 'aria-describedby': describedBy } }}
          />
          <Button variant="outlined" disabled={typed === '' || fault !== undefined} onClick={add}>
            Add
          </Button>
        </div>
      )}
    </LabelledInput>
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
      {(kind === 'named' || named !== undefined) && <JsonProperty at={`${at}/named`} label="Condition of each name" />}
      {(kind === 'month' || file !== undefined) && (
        <TextProperty at={`${at}/export`} label="File name of a download" usual="None" />
      )}
    </>
  );
}
