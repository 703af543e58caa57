import { MultiChoiceProperty } from './ChoiceProperty';
import { ListProperty } from './ListProperty';
import { PartForm } from './PartForm';
import { PlaceErrors } from './PlaceErrors';
import { useStateOptions } from './useStateOptions';
import * as styles from './properties.module.css';
import { itemAt } from '../../../engine/values/lookups';

const readMany = (value: unknown) => [value ?? []].flat().map(String);

/** The changes of a field's value that are possible: from which to which, by whom, when, and what each needs. */
export function TransitionsProperty({ pointer }: { pointer: string }) {
  const name = itemAt(pointer.split('/'), 2);
  const { options, free } = useStateOptions(name);
  const labelOf = (value: string) => options.find((option) => String(option.value) === value)?.label ?? value;
  const labelsOf = (value: unknown) => readMany(value).map(labelOf).join(', ');
  // One value is written as such, and a number stays one.
  const write = (texts: string[]) => {
    const values = texts.map((text) => options.find(({ value }) => String(value) === text)?.value ?? text);
    return values.length === 1 ? values[0] : values;
  };
  const [first, second = first] = options;
  const states = { options, free, read: readMany, write };
  return (
    <div className={styles.studioGroup}>
      <span className={styles.studioLabel}>Transitions</span>
      <PlaceErrors pointer={pointer} />
      <ListProperty
        pointer={pointer}
        label="Transitions"
        add="Add a transition"
        emptyText="Every change is possible"
        createEntry={() => ({ from: first?.value ?? '', to: second?.value ?? '' })}
        titleOf={({ label, from: source, to: target }) =>
          label === undefined ? `${labelsOf(source)} → ${labelsOf(target)}` : String(label)
        }
        noteOf={({ label, from: source, to: target }) =>
          label === undefined ? undefined : `${labelsOf(source)} → ${labelsOf(target)}`
        }
      >
        {(entryPointer) => (
          <>
            <PlaceErrors pointer={entryPointer} />
            <MultiChoiceProperty pointer={`${entryPointer}/from`} label="From" {...states} />
            <MultiChoiceProperty pointer={`${entryPointer}/to`} label="To" {...states} />
            <PartForm
              pointer={entryPointer}
              keys={['label', 'roles', 'levels', 'requiredFields', 'where']}
              fallbacks={{ label: free ? "The record's name" : 'That of the option' }}
            />
          </>
        )}
      </ListProperty>
    </div>
  );
}
