import Button from '@mui/material/Button';
import type { Source } from '../../../../engine/definitions/source';
import { useDraftPart } from '../draft';
import { ChoiceProperty } from '../properties/ChoiceProperty';
import { fieldOptions } from '../properties/fieldOptions';
import { ListProperty } from '../properties/ListProperty';
import { MapProperty } from '../properties/MapProperty';
import { SwitchProperty } from '../properties/SwitchProperty';
import { TextProperty } from '../properties/TextProperty';
import { useDraftValue } from '../properties/useDraftValue';
import * as styles from '../properties/properties.module.css';

const namePattern = {
  is: /^[a-z][a-z0-9-]*$/,
  message: 'It begins with a small letter, followed by small letters, digits and -.',
};
const formats = [
  { value: 'xlsx', label: 'Workbook' },
  { value: 'csv', label: 'Comma-separated values' },
];
const separators = [
  { value: ',', label: 'Comma' },
  { value: ';', label: 'Semicolon' },
  { value: '\t', label: 'Tab' },
  { value: '|', label: 'Bar' },
];
const decimalSeparators = [
  { value: '.', label: 'Point' },
  { value: ',', label: 'Comma' },
];
const encodings = [
  { value: 'utf-8-bom', label: 'UTF-8 with a byte order mark' },
  { value: 'utf-8', label: 'UTF-8 without one' },
];

/** Downloads in the shape that another program expects: a name, a format, and columns in their order. */
export function NamedExports() {
  const { name, exports } = useDraftPart(({ source }) => ({ name: source.name, exports: source.exports }));
  return (
    <MapProperty
      at="/exports"
      label="Downloads for other programs"
      add="New download"
      none="None besides the spreadsheet."
      pattern={namePattern}
      blank={(key) => ({ label: key, columns: ['id'] })}
    >
      {(place, key) => (
        <>
          <div className={styles.studioPair}>
            <TextProperty at={`${place}/label`} label="Label" />
            <ChoiceProperty at={`${place}/format`} label="Format" ways={formats} none="Workbook" />
            <TextProperty at={`${place}/file`} label="File name" usual={`${name.replaceAll('-', '_')}_${key}`} />
          </div>
          {exports?.[key]?.format === 'csv' && <CsvInputs place={place} />}
          <ExportColumns place={`${place}/columns`} />
        </>
      )}
    </MapProperty>
  );
}

/** How values are written where a file has nothing but text. */
function CsvInputs({ place }: { place: string }) {
  return (
    <>
      <div className={styles.studioPair}>
        <ChoiceProperty at={`${place}/separator`} label="Between values" ways={separators} none="Comma" />
        <ChoiceProperty
          at={`${place}/decimalSeparator`}
          label="Before decimals"
          ways={decimalSeparators}
          none="Point"
        />
        <TextProperty at={`${place}/dateFormat`} label="Dates" usual="YYYY-MM-DD" />
        <ChoiceProperty
          at={`${place}/encoding`}
          label="Encoding"
          ways={encodings}
          none="UTF-8 with a byte order mark"
        />
      </div>
      <SwitchProperty at={`${place}/header`} label="The first line has the headings" usual />
    </>
  );
}

type ExportColumn = NonNullable<Source['exports']>[string]['columns'][number];

/** The columns of a download: a field as it is, or one with its heading, or a text. */
function ExportColumns({ place }: { place: string }) {
  const fields = useDraftPart(({ source }) => fieldOptions(source));
  const { value, set } = useDraftValue(place);
  const columns = (Array.isArray(value) ? value : []) as readonly ExportColumn[];
  const labelOfPath = (path = '') => fields.find((field) => field.value === path)?.label ?? path;
  return (
    <ListProperty
      at={place}
      label="Columns of the file"
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
