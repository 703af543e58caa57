import { tones } from '../../../../engine/definitions/definition';
import type { FieldSource, Source } from '../../../../engine/definitions/source';
import { renameOption } from '../../../../engine/studio/fields';
import { parsePointer, valueAtPath } from '../../../../engine/studio/json';
import { useDraftStore } from '../draft';
import { ChoiceProperty } from './ChoiceProperty';
import { ListProperty } from './ListProperty';
import { NumberProperty, TextProperty } from './TextProperty';
import { useDraftValue } from './useDraftValue';
import { withValueAt } from './withValueAt';
import * as styles from './properties.module.css';

const toneOptions = tones.map((tone) => ({ value: tone, label: tone }));

/** The options of a select, in their order. */
export function OptionsProperty({ at }: { at: string }) {
  const { error } = useDraftValue(at);
  return (
    <div className={styles.studioGroup}>
      <span className={styles.studioLabel}>Options</span>
      {error && (
        <p className={styles.studioHint} data-bad>
          {error}
        </p>
      )}
      <ListProperty
        at={at}
        label="Options"
        add="Add an option"
        none="No options yet"
        blank={(all) => ({ value: `option_${all.length + 1}`, label: `Option ${all.length + 1}` })}
        titleOf={({ label }) => String(label ?? '')}
        noteOf={({ value: stored }) => String(stored ?? '')}
      >
        {(place) => (
          <>
            <div className={styles.studioPair}>
              <TextProperty at={`${place}/label`} label="Label" />
              <StoredValue at={at} place={place} />
            </div>
            <FormerValue place={place} />
            <ChoiceProperty at={`${place}/tone`} label="Colour" ways={toneOptions} none="No colour" />
          </>
        )}
      </ListProperty>
    </div>
  );
}

/** The value of an option. When a published one is changed, the option keeps the former value, so that rows follow. */
function StoredValue({ at, place }: { at: string; place: string }) {
  const store = useDraftStore();
  const { value: options } = useDraftValue(at);
  // An emptied value stays of the kind of the others.
  const isNumber = Array.isArray(options) && (options as Options).some(({ value }) => typeof value === 'number');
  const index = Number(place.split('/').at(-1));
  const rename = (next: string | number | undefined) => {
    const { base, edit } = store.get();
    edit((source) => {
      const steps = parsePointer(at);
      const written = valueAtPath(source, steps) as Options;
      return withValueAt(source, steps, renameOption(written, index, next, publishedOptions(base.source, steps)));
    });
  };
  const Input = isNumber ? NumberProperty : TextProperty;
  return <Input at={`${place}/value`} label="Stored as" onChange={rename} />;
}

/** The former value of an option, once it has one. */
function FormerValue({ place }: { place: string }) {
  const { value } = useDraftValue(`${place}/was`);
  if (value === undefined) return null;
  const Input = typeof value === 'number' ? NumberProperty : TextProperty;
  return <Input at={`${place}/was`} label="Formerly stored as" />;
}

type Options = NonNullable<FieldSource['options']>;

function publishedOptions(source: Source, steps: readonly string[]): Options | undefined {
  const options = valueAtPath(source, steps);
  return Array.isArray(options) ? (options as Options) : undefined;
}
