import { useDraft } from '../draft';
import { AddMenu } from '../properties/AddMenu';
import type { Option } from '../properties/ChoiceProperty';
import { SortedList } from '../properties/SortedList';
import { useDraftValue } from '../properties/useDraftValue';
import { fieldOptions } from '../properties/fieldOptions';
import { ChoiceProperty } from '../properties/ChoiceProperty';
import * as styles from '../properties/properties.module.css';

const widthOptions = [
  { value: 'full', label: 'Full row' },
  { value: 'half', label: 'Half a row' },
  { value: 'quarter', label: 'Quarter of a row' },
];

/** The fields of a section in their order. */
export function SectionFields({ at, free }: { at: string; free: readonly Option[] }) {
  const { source } = useDraft();
  const { value, set, error } = useDraftValue(at);
  const names = Array.isArray(value) ? value.map(String) : [];
  const ways = fieldOptions(source);
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
        none="A section needs a field"
        keyOf={(name) => name}
        titleOf={(name) => ways.find((way) => way.value === name)?.label ?? name}
        onMove={(from, to) => set(names.toSpliced(from, 1).toSpliced(to, 0, names[from]!))}
        onRemove={(index) => set(names.toSpliced(index, 1))}
      >
        {(name) => (
          <ChoiceProperty at={`/fields/${name}/width`} label="Width" ways={widthOptions} none="Default of its type" />
        )}
      </SortedList>
      <AddMenu label="Add a field" ways={free} onAdd={(name) => set([...names, name])} />
    </div>
  );
}
