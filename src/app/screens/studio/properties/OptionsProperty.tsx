import { tones } from '../../../../engine/definitions/definition';
import { ChoiceProperty } from './ChoiceProperty';
import { ListProperty } from './ListProperty';
import { NumberProperty, TextProperty } from './TextProperty';
import { useDraftValue } from './useDraftValue';
import * as styles from './properties.module.css';

const toneOptions = tones.map((tone) => ({ value: tone, label: tone }));

/** The options of a select, in their order. */
export function OptionsProperty({ at }: { at: string }) {
  const { value, error } = useDraftValue(at);
  const options = Array.isArray(value) ? (value as { value?: unknown }[]) : [];
  return (
    <div data-wide className={styles.studioGroup}>
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
              <TextProperty at={`${place}/label`} label="Label" brief />
              {typeof options[Number(place.split('/').at(-1))]?.value === 'number' ? (
                <NumberProperty at={`${place}/value`} label="Stored as" brief />
              ) : (
                <TextProperty at={`${place}/value`} label="Stored as" brief />
              )}
            </div>
            <ChoiceProperty at={`${place}/tone`} label="Colour" ways={toneOptions} none="No colour" brief />
          </>
        )}
      </ListProperty>
    </div>
  );
}
