import MenuItem from '@mui/material/MenuItem';
import Select from '@mui/material/Select';
import { writtenTypeOf } from '../../../../engine/field-types';
import type { FieldSource, Source } from '../../../../engine/definitions/source';
import { labelOf } from '../../../../engine/definitions/labels';
import { useDefinitions } from '../../../admin/DefinitionsContext';
import type { Subject } from '../conditions/subjects';
import { useDraftPart } from '../draft';
import { ChoiceProperty, MultiChoiceProperty, type Option } from '../properties/ChoiceProperty';
import { LabelledInput } from '../properties/LabelledInput';
import { ListProperty } from '../properties/ListProperty';
import { MapProperty } from '../properties/MapProperty';
import { MoreProperties } from '../properties/MoreProperties';
import { SwitchRow } from '../properties/SwitchProperty';
import { NumberProperty, TextProperty } from '../properties/TextProperty';
import { allFields, fieldOptions } from '../properties/fieldOptions';
import { useDraftValue } from '../properties/useDraftValue';
import { settableFields } from './automations/paths';
import { ValuesEditor } from './automations/ValuesEditor';

const isRelation = (field: FieldSource) => writtenTypeOf(field).holds === 'record';

/** How records come out of a spreadsheet. */
export function ImportInputs() {
  const { value, set, hint } = useDraftValue('/import');
  const fields = useDraftPart(({ source }) => fieldOptions(source, (_, name) => name !== 'id'));
  return (
    <>
      <SwitchRow
        label="Records can be imported"
        on={value !== undefined}
        hint={hint}
        onChange={(on) => set(on ? {} : undefined)}
      />
      {value !== undefined && (
        <>
          <MultiChoiceProperty at="/import/match" label="A row finds its record by" ways={fields} usual="Nothing" />
          <MultiChoiceProperty at="/import/fields" label="Fields of a file" ways={fields} usual="All of the form" />
          <Asked />
          <Created />
          <MoreProperties>
            <FileWords at="/import" fields={fields} />
            <Steps fields={fields} />
            <Splits fields={fields} />
            <Tools fields={fields} />
            <NumberProperty at="/import/order" label="Position of its tab" usual="100" />
          </MoreProperties>
        </>
      )}
    </>
  );
}

/** A relation that the form of the import asks for. */
function Asked() {
  const ways = useDraftPart(({ source }) =>
    fieldOptions(source, (field, name) => name in source.fields && isRelation(field)),
  );
  return <ChoiceProperty at="/import/ask" label="The form asks for" ways={ways} none="Nothing" />;
}

/** Relations whose records an import makes, and the values that they get. */
function Created() {
  const ways = useDraftPart(({ source }) =>
    fieldOptions(source, (field, name) => name in source.fields && isRelation(field)),
  );
  return (
    <MapProperty
      at="/import/creates"
      label="Records that an import makes"
      add="Make records of"
      none="None: a name that no record has is a mistake in its row."
      ways={ways}
      blank={() => ({})}
    >
      {(place, name, title) => <CreatedValues at={place} field={name} title={title} />}
    </MapProperty>
  );
}

/** The values of records that an import makes: fixed ones, or fields of the imported record. */
function CreatedValues({ at, field, title }: { at: string; field: string; title: string }) {
  const { registry } = useDefinitions();
  const { value, set, error } = useDraftValue(at);
  const { source, to } = useDraftPart((draft) => ({
    source: draft.source,
    to: draft.source.fields[field]?.to,
  }));
  const fields = settableFields(to, source, registry).filter(({ field: one }) => canBeGiven(one));
  return (
    <ValuesEditor
      label={`Values of ${title}`}
      add={`Add a value of ${title}`}
      none="Its name, which becomes the title."
      values={(value ?? {}) as Readonly<Record<string, unknown>>}
      variablesOf={(subject) => ofTheImported(subject, source)}
      onChange={set}
      {...{ fields, error }}
    />
  );
}

const canBeGiven = (field: FieldSource) => ['text', 'number', 'boolean', 'record'].includes(writtenTypeOf(field).holds);

/** The fields of the imported record that can stand for a value of the record that is made for it. */
function ofTheImported({ field }: Subject, source: Source) {
  const { holds } = writtenTypeOf(field);
  return Object.entries(allFields(source))
    .filter(([name, own]) => name in source.fields && writtenTypeOf(own).holds === holds && own.to === field.to)
    .map(([name, { label = labelOf(name) }]) => ({ value: `$form.${name}`, words: `${label} of the imported record` }));
}

/** Other headings and other values than those used here. */
function FileWords({ at, fields }: { at: string; fields: readonly Option[] }) {
  return (
    <>
      {at === '/import' && (
        <MapProperty at="/import/synonyms" label="Other headings" add="Add headings of" none="None." ways={fields}>
          {(place, _, title) => (
            <MultiChoiceProperty
              at={place}
              label={`Headings of ${title}`}
              ways={none}
              free
              brief
              usual="Type and press Enter"
            />
          )}
        </MapProperty>
      )}
      <MapProperty at={`${at}/values`} label="Values of other programs" add="Add values of" none="None." ways={fields}>
        {(place, _, title) => (
          <MapProperty at={place} label={`Values of ${title}`} add={`New value of ${title} used here`} none="None yet.">
            {(at_, used) => (
              <MultiChoiceProperty
                at={at_}
                label={`Written for ${used}`}
                ways={none}
                free
                brief
                usual="Type and press Enter"
              />
            )}
          </MapProperty>
        )}
      </MapProperty>
    </>
  );
}

const none: readonly Option[] = [];

/** Records that take several rows of a file, and relations that one column fills together. */
function Steps({ fields }: { fields: readonly Option[] }) {
  const relations = useDraftPart(({ source }) => fieldOptions(source, isRelation));
  return (
    <>
      <MultiChoiceProperty at="/import/steps" label="Fields that go on in the rows below" ways={fields} usual="None" />
      <MultiChoiceProperty
        at="/import/key"
        label="Headings that are the same in all rows of a record"
        ways={none}
        free
        usual="None"
      />
      <MultiChoiceProperty at="/import/numbers" label="Headings that number the steps" ways={none} free usual="None" />
      <ListProperty
        at="/import/paths"
        label="Relations that one column fills together"
        add="Add a path of relations"
        none="None"
        blank={() => relations.slice(0, 2).map(({ value }) => value) as unknown as Readonly<Record<string, unknown>>}
        titleOf={(entry) => (Array.isArray(entry) ? entry.join(' / ') : '')}
      >
        {(place) => (
          <MultiChoiceProperty at={place} label="Relations" ways={relations} write={(chosen) => chosen} brief />
        )}
      </ListProperty>
    </>
  );
}

/** Programs that are known by their headings. */
function Tools({ fields }: { fields: readonly Option[] }) {
  return (
    <ListProperty
      at="/import/tools"
      label="Programs known by their headings"
      add="Add a program"
      none="None"
      blank={(tools) => ({ name: `Program ${tools.length + 1}`, when: ['Heading'] })}
      titleOf={({ name }) => String(name ?? '')}
    >
      {(place) => (
        <>
          <TextProperty at={`${place}/name`} label="Name of the program" brief />
          <MultiChoiceProperty
            at={`${place}/when`}
            label="Headings of its files"
            ways={none}
            free
            write={(all) => all}
          />
          <MapProperty
            at={`${place}/columns`}
            label="Its columns"
            add="New heading"
            none="As their headings say."
            blank={() => null}
          >
            {(at, heading) => <ToolColumn {...{ at, heading, fields }} />}
          </MapProperty>
          <FileWords at={place} fields={fields} />
          <MapProperty at={`${place}/skip`} label="Skipped rows" add="New heading of rows to skip" none="None.">
            {(at, heading) => (
              <MultiChoiceProperty
                at={at}
                label={`Skipped where ${heading} is`}
                ways={none}
                free
                brief
                usual="Type and press Enter"
              />
            )}
          </MapProperty>
        </>
      )}
    </ListProperty>
  );
}

/** The columns of rows that a column of a file can fill, typed with their field: `lines.action`. */
function useRowColumns(): readonly Option[] {
  return useDraftPart(({ source }) =>
    Object.entries(source.fields).flatMap(([name, { fields: columns = {}, label = labelOf(name) }]) =>
      Object.entries(columns).map(([column, one]) => ({
        value: `${name}.${column}`,
        label: `${label}: ${one.label ?? labelOf(column)}`,
      })),
    ),
  );
}

/** Fields whose numbered text can be split, and the column of rows that each fills then. */
function Splits({ fields }: { fields: readonly Option[] }) {
  const rows = useRowColumns();
  if (rows.length === 0) return null;
  return (
    <MapProperty
      at="/import/splits"
      label="Numbered text that can be split into rows"
      add="Split the text of"
      none="None."
      ways={fields}
      blank={() => rows[0]!.value}
    >
      {(place, _, title) => <ChoiceProperty at={place} label={`Lines of ${title} fill`} ways={rows} />}
    </MapProperty>
  );
}

/** The field that a column of a program fills. */
function ToolColumn({ at, heading, fields }: { at: string; heading: string; fields: readonly Option[] }) {
  const rows = useRowColumns();
  const { value, set, error } = useDraftValue(at);
  const ways = [...fields, ...rows];
  const chosen = typeof value === 'string' ? value : '';
  return (
    <LabelledInput label={`${heading} fills`} error={error}>
      {({ id }) => (
        <Select
          size="small"
          fullWidth
          displayEmpty
          value={chosen}
          onChange={({ target }) => set(target.value === '' ? null : target.value)}
          inputProps={{ id, 'aria-label': `${heading} fills` }}
        >
          <MenuItem value="">Nothing: the column is left out</MenuItem>
          {chosen !== '' && !ways.some((way) => way.value === chosen) && <MenuItem value={chosen}>{chosen}</MenuItem>}
          {ways.map((way) => (
            <MenuItem key={String(way.value)} value={String(way.value)}>
              {way.label}
            </MenuItem>
          ))}
        </Select>
      )}
    </LabelledInput>
  );
}
