import Button from '@mui/material/Button';
import { iconNames } from '../../../icons/icons';
import { useDraft } from '../draft';
import { AddMenu } from '../properties/AddMenu';
import { ChoiceProperty } from '../properties/ChoiceProperty';
import { SortedList } from '../properties/SortedList';
import { useDraftValue } from '../properties/useDraftValue';
import { fieldOptions } from '../properties/fieldOptions';
import * as styles from '../properties/properties.module.css';

type CardLine = string | { field: string; icon?: string };
const iconOptions = iconNames.map((name) => ({ value: name, label: name }));
const lineField = (line: CardLine) => (typeof line === 'string' ? line : line.field);

/** The lines of a card: a field each, optionally with an icon. */
export function CardLines({ at }: { at: string }) {
  const { source } = useDraft();
  const { value, set } = useDraftValue(at);
  const lines = (Array.isArray(value) ? value : []) as readonly CardLine[];
  const ways = fieldOptions(source);
  const free = ways.filter((way) => !lines.some((line) => lineField(line) === way.value));
  const labelled = (field: string) => ways.find((way) => way.value === field)?.label ?? field;
  const put = (next: readonly CardLine[]) => set(next.length === 0 ? undefined : next);
  return (
    <div className={styles.studioGroup}>
      <span className={styles.studioLabel}>Lines</span>
      <SortedList
        label="Lines"
        items={lines}
        none="No lines"
        keyOf={(line) => lineField(line)}
        titleOf={(line) => labelled(lineField(line))}
        onMove={(from, to) => put(lines.toSpliced(from, 1).toSpliced(to, 0, lines[from]!))}
        onRemove={(index) => put(lines.toSpliced(index, 1))}
      >
        {(line, index) =>
          typeof line === 'string' ? (
            <Button
              size="small"
              variant="outlined"
              onClick={() => put(lines.with(index, { field: line, icon: 'tag' }))}
            >
              Add an icon
            </Button>
          ) : (
            <ChoiceProperty at={`${at}/${index}/icon`} label="Icon" ways={iconOptions} none="None" />
          )
        }
      </SortedList>
      <AddMenu label="Add a line" ways={free} onAdd={(field) => put([...lines, field])} />
    </div>
  );
}
