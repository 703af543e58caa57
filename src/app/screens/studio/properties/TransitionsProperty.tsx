import { ConditionProperty } from '../conditions/ConditionProperty';
import { useDraftPart } from '../draft';
import { AudienceProperty } from '../parts/audience';
import { MultiChoiceProperty } from './ChoiceProperty';
import { fieldOptions, isInForms } from './fieldOptions';
import { ListProperty } from './ListProperty';
import { PlaceErrors } from './PlaceErrors';
import { TextProperty } from './TextProperty';
import { useStateOptions } from './useStateOptions';
import * as styles from './properties.module.css';

const readMany = (value: unknown) => [value ?? []].flat().map(String);

/** The changes of a field's value that are possible: from which to which, by whom, when, and what each needs. */
export function TransitionsProperty({ at, name }: { at: string; name: string }) {
  const { options, free } = useStateOptions(name);
  const fields = useDraftPart(({ source }) =>
    fieldOptions(source, (field, key) => key !== name && key in source.fields && isInForms(field)),
  );
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
    <div data-wide className={styles.studioGroup}>
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
            <MultiChoiceProperty at={`${place}/from`} label="From" {...states} brief />
            <MultiChoiceProperty at={`${place}/to`} label="To" {...states} brief />
            <TextProperty
              at={`${place}/label`}
              label="Label of its button"
              usual={free ? "The record's name" : 'That of the option'}
              brief
            />
            <AudienceProperty at={place} usual="Everybody who may edit" />
            <MultiChoiceProperty at={`${place}/needs`} label="Needs" ways={fields} usual="Nothing" />
            <ConditionProperty at={`${place}/when`} label="Only for records where" />
          </>
        )}
      </ListProperty>
    </div>
  );
}
