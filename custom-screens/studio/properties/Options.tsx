import { tones } from '../../../src/engine/definitions/definition';
import { ChoiceAt } from './ChoiceAt';
import { ListAt } from './ListAt';
import { NumberAt, TextAt } from './TextAt';
import { useAt } from './useAt';

const toneWays = tones.map((tone) => ({ value: tone, label: tone }));

/** The options of a select, in their order. */
export function Options({ at }: { at: string }) {
  const { value, error } = useAt(at);
  const options = Array.isArray(value) ? (value as { value?: unknown }[]) : [];
  return (
    <div data-wide className="studio-group">
      <span className="studio-label">Options</span>
      {error && (
        <p className="studio-hint" data-bad>
          {error}
        </p>
      )}
      <ListAt
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
            <div className="studio-pair">
              <TextAt at={`${place}/label`} label="Label" brief />
              {typeof options[Number(place.split('/').at(-1))]?.value === 'number' ? (
                <NumberAt at={`${place}/value`} label="Stored as" brief />
              ) : (
                <TextAt at={`${place}/value`} label="Stored as" brief />
              )}
            </div>
            <ChoiceAt at={`${place}/tone`} label="Colour" ways={toneWays} none="neutral" brief />
          </>
        )}
      </ListAt>
    </div>
  );
}
