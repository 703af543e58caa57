import { useDraft } from '../draft';
import { AddMenu } from '../properties/AddMenu';
import type { Option } from '../properties/ChoiceProperty';
import { SortedList } from '../properties/SortedList';
import { useDraftValue } from '../properties/useDraftValue';
import { fieldOptions } from '../properties/fieldOptions';
import { ChoiceProperty } from '../properties/ChoiceProperty';
import * as styles from '../properties/properties.module.css';
import { itemAt } from '../../../engine/values/lookups';

const widthOptions = [
  { value: 'full', label: 'Full row' },
  { value: 'half', label: 'Half a row' },
  { value: 'quarter', label: 'Quarter of a row' },
];

/** The fields of a section in their order. */
export function SectionFields({ pointer, free }: { pointer: string; free: readonly Option[] }) {
  const { source } = useDraft();
  const { value, set, error } = useDraftValue(pointer);
  const names = Array.isArray(value) ? value.map(String) : [];
  const options = fieldOptions(source);
  return (
    <div className={styles.studioGroup}>
      <span className={styles.studioLabel}>Fields</span>
      {error && (
        <p className={styles.studioHint} data-bad>
          {error}
        </p>
      )}
      <SortedList
        label="Fields of the section"
        items={names}
        emptyText="A section needs a field"
        keyOf={(name) => name}
        titleOf={(name) => options.find((option) => option.value === name)?.label ?? name}
        onMove={(oldIndex, newIndex) =>
          set(names.toSpliced(oldIndex, 1).toSpliced(newIndex, 0, itemAt(names, oldIndex)))
        }
        onRemove={(index) => set(names.toSpliced(index, 1))}
      >
        {(name) => (
          <ChoiceProperty
            pointer={`/fields/${name}/width`}
            label="Width"
            options={widthOptions}
            emptyText="Default of its type"
          />
        )}
      </SortedList>
      <AddMenu label="Add a field" options={free} onAdd={(name) => set([...names, name])} />
    </div>
  );
}
