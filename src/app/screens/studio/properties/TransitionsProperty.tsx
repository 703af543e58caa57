import { MultiChoiceProperty } from './ChoiceProperty';
import { ListProperty } from './ListProperty';
import { PartForm } from './PartForm';
import { PlaceErrors } from './PlaceErrors';
import { useStateOptions } from './useStateOptions';
import * as styles from './properties.module.css';

const readMany = (value: unknown) => [value ?? []].flat().map(String);

/** The changes of a field's value that are possible: from which to which, by whom, when, and what each needs. */
export function TransitionsProperty({ at }: { at: string }) {
  const name = at.split('/')[2]!;
  const { options, free } = useStateOptions(name);
  const labelOf = (value: string) => options.find((one) => String(one.value) === value)?.label ?? value;
  const told = (value: unknown) => readMany(value).map(labelOf).join(', ');
  // One value is written as such, and a number stays one.
  const write = (chosen: string[]) => {
    const values = chosen.map((text) => options.find(({ value }) => String(value) === text)?.value ?? text);
    return values.length === 1 ? values[0] : values;
  };
  const [first, second = first] = options;
  const states = { ways: options, free, read: readMany, write };
  return (
    <div className={styles.studioGroup}>
      <span className={styles.studioLabel}>Transitions</span>
      <PlaceErrors place={at} />
      <ListProperty
        at={at}
        label="Transitions"
        add="Add a transition"
        none="Every change is possible"
        blank={() => ({ from: first?.value ?? '', to: second?.value ?? '' })}
        titleOf={({ label, from, to }) => (label === undefined ? `${told(from)} → ${told(to)}` : String(label))}
        noteOf={({ label, from, to }) => (label === undefined ? undefined : `${told(from)} → ${told(to)}`)}
      >
        {(place) => (
          <>
            <PlaceErrors place={place} />
            <MultiChoiceProperty at={`${place}/from`} label="From" {...states} />
            <MultiChoiceProperty at={`${place}/to`} label="To" {...states} />
            <PartForm
              at={place}
              keys={['label', 'roles', 'levels', 'requiredFields', 'where']}
              fallbacks={{ label: free ? "The record's name" : 'That of the option' }}
            />
          </>
        )}
      </ListProperty>
    </div>
  );
}
