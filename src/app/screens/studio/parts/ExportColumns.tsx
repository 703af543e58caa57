import Button from '@mui/material/Button';
import type { Source } from '../../../../engine/definitions/source';
import { useDraftPart } from '../draft';
import { ChoiceProperty } from '../properties/ChoiceProperty';
import { fieldOptions } from '../properties/fieldOptions';
import { ListProperty } from '../properties/ListProperty';
import { TextProperty } from '../properties/TextProperty';
import { useDraftValue } from '../properties/useDraftValue';
import * as styles from '../properties/properties.module.css';

type ExportColumn = NonNullable<Source['exports']>[string]['columns'][number];

/** The columns of a download: a field as it is, or one with its heading, or a text. */
export function ExportColumns({ at: place, label }: { at: string; label: string }) {
  const fields = useDraftPart(({ source }) => fieldOptions(source));
  const { value, set } = useDraftValue(place);
  const columns = (Array.isArray(value) ? value : []) as readonly ExportColumn[];
  const labelOfPath = (path = '') => fields.find((field) => field.value === path)?.label ?? path;
  return (
    <ListProperty
      at={place}
      label={label}
      add="Add a column"
      blank={() => ({ field: fields[0]?.value ?? 'id' })}
      titleOf={(entry) => {
        const column = entry as unknown as ExportColumn;
        if (typeof column === 'string') return labelOfPath(column);
        return column.heading ?? (column.text === undefined ? labelOfPath(column.field) : column.text);
      }}
    >
      {(at) => {
        const index = Number(at.split('/').at(-1));
        const column = columns[index];
        if (typeof column === 'string')
          return (
            <>
              <ChoiceProperty at={at} label="Field" ways={fields} />
              <div>
                <Button size="small" variant="outlined" onClick={() => set(columns.with(index, { field: column }))}>
                  Give it a heading or a text
                </Button>
              </div>
            </>
          );
        return (
          <>
            <TextProperty at={`${at}/heading`} label="Heading" usual="Label of the field" />
            <div className={styles.studioPair}>
              <ChoiceProperty at={`${at}/field`} label="Field" ways={fields} none="A text" />
              <TextProperty at={`${at}/text`} label="Text in each line" usual="{name}" />
            </div>
          </>
        );
      }}
    </ListProperty>
  );
}
