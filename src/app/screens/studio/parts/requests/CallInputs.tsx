import MenuItem from '@mui/material/MenuItem';
import OutlinedInput from '@mui/material/OutlinedInput';
import Select from '@mui/material/Select';
import { useDraftPart } from '../../draft';
import { LabelledInput } from '../../properties/LabelledInput';
import { MapProperty } from '../../properties/MapProperty';
import { PartForm } from '../../properties/PartForm';
import { SwitchRow } from '../../properties/SwitchProperty';
import { TextProperty } from '../../properties/TextProperty';
import { useDraftValue } from '../../properties/useDraftValue';
import * as styles from '../../properties/properties.module.css';

/** A call of the API by a row action: its path and body, what it asks before, and what it says after. */
export function CallInputs({ at }: { at: string }) {
  return (
    <>
      <PartForm at={at} keys={['path']} />
      <MapProperty
        at={`${at}/body`}
        label="What it sends"
        add="New value to send"
        none="Nothing."
        blank={() => '$record.id'}
      >
        {(place, _, title) => <SentValue at={place} label={title} />}
      </MapProperty>
      <PartForm at={at} keys={['permission', 'idsProperty', 'confirm', 'toast']} />
      <ShownAnswer at={`${at}/shows`} />
      <PartForm at={at} keys={['afterCreate']} />
    </>
  );
}

type Kind = 'record' | 'text' | 'number' | 'boolean' | 'texts' | 'other';

const plainKinds: Readonly<Partial<Record<string, Kind>>> = { string: 'text', number: 'number', boolean: 'boolean' };

function kindOf(value: unknown): Kind {
  if (value === '$record.id') return 'record';
  if (Array.isArray(value)) return value.every((one) => typeof one === 'string') ? 'texts' : 'other';
  return plainKinds[typeof value] ?? 'other';
}

const kinds: Readonly<Record<Exclude<Kind, 'other'>, { label: string; first: unknown }>> = {
  record: { label: 'The number of the record', first: '$record.id' },
  text: { label: 'A text', first: '' },
  number: { label: 'A number', first: 0 },
  boolean: { label: 'Yes', first: true },
  texts: { label: 'Several texts', first: [] },
};

/** A value in the body of a call. */
function SentValue({ at, label }: { at: string; label: string }) {
  const { value, set, error } = useDraftValue(at);
  const one = useDraftPart(({ source }) => source.labels.one.toLowerCase());
  const kind = kindOf(value);
  const labelled = (name: keyof typeof kinds) =>
    name === 'record' ? `The id of the ${one}` : name === 'boolean' && value === false ? 'No' : kinds[name].label;
  const read = (text: string) => {
    if (kind === 'number') return Number.isFinite(Number(text)) ? Number(text) : text;
    return kind === 'texts' ? text.split(/,\s*/) : text;
  };
  return (
    <div className={styles.studioPair}>
      <LabelledInput label={`${label} is`} error={error}>
        {({ id }) => (
          <Select
            size="small"
            fullWidth
            value={kind}
            onChange={({ target }) => set(kinds[target.value as keyof typeof kinds].first)}
            inputProps={{ id, 'aria-label': `${label} is` }}
          >
            {(Object.keys(kinds) as (keyof typeof kinds)[]).map((name) => (
              <MenuItem key={name} value={name}>
                {labelled(name)}
              </MenuItem>
            ))}
            {kind === 'other' && <MenuItem value="other">Something else</MenuItem>}
          </Select>
        )}
      </LabelledInput>
      {(kind === 'text' || kind === 'number' || kind === 'texts') && (
        <LabelledInput label={kind === 'texts' ? `${label}: texts, with commas between` : `${label}: value`}>
          {({ id }) => (
            <OutlinedInput
              id={id}
              size="small"
              fullWidth
              autoComplete="off"
              value={Array.isArray(value) ? value.join(', ') : String(value)}
              onChange={({ target }) => set(read(target.value))}
            />
          )}
        </LabelledInput>
      )}
      {kind === 'other' && <pre className={styles.studioCode}>{JSON.stringify(value)}</pre>}
    </div>
  );
}

const answers = [
  { value: 'html', label: 'A page' },
  { value: 'secret', label: 'A secret that is never shown again' },
];

/** What a dialog shows of the answer to a call. */
function ShownAnswer({ at }: { at: string }) {
  const { value, set, hint, error } = useDraftValue(at);
  const shown = (value ?? {}) as Readonly<Record<string, string>>;
  const way = 'secret' in shown ? 'secret' : 'html';
  const take = (next: string) => {
    const { html = 'html', secret = 'secret', ...rest } = shown;
    set({ ...rest, [next]: next === 'secret' ? secret : html });
  };
  return (
    <>
      <SwitchRow
        label="A dialog shows its answer"
        on={value !== undefined}
        {...{ hint, error: value === undefined ? error : undefined }}
        onChange={(on) => set(on ? { title: 'title', text: 'text', html: 'html' } : undefined)}
      />
      {value !== undefined && (
        <>
          <LabelledInput label="The answer is" error={error}>
            {({ id }) => (
              <Select
                size="small"
                fullWidth
                value={way}
                onChange={({ target }) => take(target.value)}
                inputProps={{ id, 'aria-label': 'The answer is' }}
              >
                {answers.map((one) => (
                  <MenuItem key={one.value} value={one.value}>
                    {one.label}
                  </MenuItem>
                ))}
              </Select>
            )}
          </LabelledInput>
          <div className={styles.studioPair}>
            <TextProperty at={`${at}/title`} label="Property with the title" />
            <TextProperty at={`${at}/text`} label="Property with the text" />
            {way === 'secret' ? (
              <TextProperty at={`${at}/secret`} label="Property with the secret" />
            ) : (
              <TextProperty at={`${at}/html`} label="Property with the page" />
            )}
          </div>
        </>
      )}
    </>
  );
}
