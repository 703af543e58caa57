import { writtenTypeOf } from '../../../../engine/field-types';
import { useDraftPart } from '../draft';
import { ChoiceProperty, MultiChoiceProperty } from '../properties/ChoiceProperty';
import { MapProperty } from '../properties/MapProperty';
import { SwitchRow } from '../properties/SwitchProperty';
import { TextProperty } from '../properties/TextProperty';
import { fieldOptions } from '../properties/fieldOptions';
import { useDraftValue } from '../properties/useDraftValue';

const formatPattern = {
  is: /^[a-z][a-z0-9-]*$/,
  message: 'It begins with a small letter, followed by small letters, digits and -.',
};

/** How records are downloaded. */
export function ExportInputs() {
  const { value, set, hint, error } = useDraftValue('/export');
  const { name, columns } = useDraftPart(({ source }) => ({ name: source.name, columns: fieldOptions(source) }));
  const on = value !== false;
  return (
    <>
      <SwitchRow
        label="Records can be downloaded"
        {...{ on, hint, error: on ? undefined : error }}
        onChange={(next) => set(next ? undefined : false)}
      />
      {on && (
        <>
          <TextProperty at="/export/file" label="File name" usual={`${name.replaceAll('-', '_')}.xlsx`} brief />
          <TextProperty at="/export/path" label="Path in the API" usual={`${name}-export`} brief />
          <MultiChoiceProperty at="/export/columns" label="Columns in any case" ways={columns} usual="Those shown" />
          <MapProperty
            at="/export/formats"
            label="Formats"
            add="New format"
            none="Spreadsheets."
            pattern={formatPattern}
            blank={(format) => format}
          >
            {(place, format) => <TextProperty at={place} label={`Label of ${format}`} brief />}
          </MapProperty>
        </>
      )}
    </>
  );
}

/** How records are made from others. */
export function CopyInputs() {
  const { value, set, hint, error } = useDraftValue('/copy');
  const { all, texts, own } = useDraftPart(({ source }) => ({
    all: fieldOptions(source, (_, name) => name in source.fields),
    texts: fieldOptions(source, (field, name) => name in source.fields && writtenTypeOf(field).holds === 'text'),
    own: fieldOptions(source, (field) => writtenTypeOf(field).holds === 'record' && field.to === source.name),
  }));
  return (
    <>
      <SwitchRow
        label="Records can be copied"
        on={value !== undefined}
        {...{ hint, error: value === undefined ? error : undefined }}
        onChange={(on) => set(on ? {} : undefined)}
      />
      {value !== undefined && (
        <>
          <TextProperty at="/copy/suffix" label="Appended to the copy’s title" usual=" - Copy" brief />
          <ChoiceProperty at="/copy/field" label="Appended to the field" ways={texts} none="That of the title" brief />
          <MultiChoiceProperty at="/copy/resets" label="Fields that are not copied" ways={all} usual="None" />
          <ChoiceProperty at="/copy/keeps" label="The copy refers to its original by" ways={own} none="Nothing" />
        </>
      )}
    </>
  );
}
