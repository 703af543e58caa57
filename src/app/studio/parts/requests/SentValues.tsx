import { useDraftPart } from '../../draft';
import { ChoiceInput } from '../../properties/ChoiceProperty';
import { MapProperty } from '../../properties/MapProperty';
import { useDraftValue, type SpecialInputProps } from '../../properties/useDraftValue';
import { TextInput } from '../../properties/TextInput';
import * as styles from '../../properties/properties.module.css';

/** The body of a call: its properties, and what each of them is. */
export function SentValues({ pointer, label }: SpecialInputProps) {
  return (
    <MapProperty {...{ pointer, label }} add="New value to send" emptyText="Nothing." createValue={() => '$record.id'}>
      {(entryPointer, _, title) => <SentValue pointer={entryPointer} label={title} />}
    </MapProperty>
  );
}

type Kind = 'record' | 'text' | 'number' | 'boolean' | 'texts' | 'other';

const plainKinds: Readonly<Partial<Record<string, Kind>>> = { string: 'text', number: 'number', boolean: 'boolean' };

function kindOf(value: unknown): Kind {
  if (value === '$record.id') return 'record';
  if (Array.isArray(value)) return value.every((item) => typeof item === 'string') ? 'texts' : 'other';
  return plainKinds[typeof value] ?? 'other';
}

/** The value of each kind to begin with. */
const firstValues: Readonly<Record<string, unknown>> = {
  record: '$record.id',
  text: '',
  number: 0,
  boolean: true,
  texts: [],
};

/** A value in the body of a call. */
function SentValue({ pointer, label }: { pointer: string; label: string }) {
  const { value, set, error } = useDraftValue(pointer);
  const recordName = useDraftPart(({ source }) => source.labels.one.toLowerCase());
  const kind = kindOf(value);
  const labels: Record<string, string> = {
    ...{ record: `The id of the ${recordName}`, text: 'A text', number: 'A number' },
    ...{ boolean: value === false ? 'No' : 'Yes', texts: 'Several texts' },
    ...(kind === 'other' && { other: 'Something else' }),
  };
  const options = Object.entries(labels).map(([name, words]) => ({ value: name, label: words }));
  const read = (text: string) => {
    if (kind === 'number') return Number.isFinite(Number(text)) ? Number(text) : text;
    return kind === 'texts' ? text.split(/,\s*/) : text;
  };
  return (
    <div className={styles.studioPair}>
      <ChoiceInput
        label={`${label} is`}
        error={error}
        options={options}
        value={kind}
        onChoose={(name) => set(firstValues[name])}
      />
      {(kind === 'text' || kind === 'number' || kind === 'texts') && (
        <TextInput
          label={kind === 'texts' ? `${label}: texts, with commas between` : `${label}: value`}
          value={Array.isArray(value) ? value.join(', ') : String(value)}
          onChange={(text) => set(read(text))}
        />
      )}
      {kind === 'other' && <pre className={styles.studioCode}>{JSON.stringify(value)}</pre>}
    </div>
  );
}
