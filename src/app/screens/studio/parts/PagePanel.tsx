import type { FieldSource } from '../../../../engine/definitions/source';
import { writtenTypeOf } from '../../../../engine/field-types';
import { useDefinitions } from '../../../admin/DefinitionsContext';
import { useDraft } from '../draft';
import { ChoiceProperty, MultiChoiceProperty, type Option } from '../properties/ChoiceProperty';
import { fieldOptions } from '../properties/fieldOptions';
import { ListProperty } from '../properties/ListProperty';
import { ResourceProperty } from '../properties/ResourceProperty';
import { SwitchRow } from '../properties/SwitchProperty';
import { TextProperty } from '../properties/TextProperty';
import { useDraftValue } from '../properties/useDraftValue';
import { fieldsOf } from './automations/paths';
import { QueryProperty } from './QueryProperty';
import * as styles from '../properties/properties.module.css';

const isPointing = (field: FieldSource) => writtenTypeOf(field).holds === 'referrers';

/** Properties of the page of a record: what is shown where, and what its stream tells of. */
export function PagePanel() {
  const { source } = useDraft();
  const { value, set, hint, error } = useDraftValue('/page');
  const on = value !== undefined && value !== false;
  const fields = fieldOptions(source, (field) => !isPointing(field) || field.strip !== undefined);
  const tabs = (source.form?.tabs ?? []).map(({ name, label }) => ({ value: name, label }));
  return (
    <>
      <SwitchRow
        label="A record has a page for reading"
        {...{ on, hint, error }}
        onChange={(next) => set(next || undefined)}
      />
      {on && (
        <>
          <MultiChoiceProperty
            at="/page/chips"
            label="Below the title"
            ways={fields}
            usual="Properties with a colour or a shape"
            brief
          />
          <MultiChoiceProperty
            at="/page/rail"
            label="Properties beside the text"
            ways={fields}
            usual="The short fields of the form"
            brief
          />
          <MultiChoiceProperty
            at="/page/related"
            label="Lists of related records"
            ways={[...tabs, ...fieldOptions(source, isPointing)]}
            usual="The tabs of the form, and records that point here"
            brief
          />
          <hr />
          <h3 className={styles.studioPart}>Text</h3>
          <ListProperty
            at="/page/sections"
            label="Parts of the text"
            add="Add a part"
            none="The long fields of the form"
            blank={() => ({ fields: [fields[0]!.value] })}
            titleOf={({ label, fields: names }) => String(label ?? (names as unknown[]).join(', '))}
          >
            {(place) => (
              <>
                <TextProperty at={`${place}/label`} label="Heading" brief />
                <MultiChoiceProperty at={`${place}/fields`} label="Fields" ways={fields} brief />
              </>
            )}
          </ListProperty>
          <hr />
          <h3 className={styles.studioPart}>Stream</h3>
          <ListProperty
            at="/page/stream"
            label="What it tells of besides comments and changes"
            add="Add records of another module"
            none="Nothing else"
            blank={(entries) => ({
              name: `records-${entries.length + 1}`,
              label: `Records ${entries.length + 1}`,
              list: source.name,
              query: {},
              at: 'created_at',
              text: 'added {id}',
            })}
            titleOf={({ label }) => String(label ?? '')}
            noteOf={({ list }) => String(list ?? '')}
          >
            {(place) => <StreamInputs place={place} />}
          </ListProperty>
        </>
      )}
    </>
  );
}

/** Which records the stream tells of, and how. */
function StreamInputs({ place }: { place: string }) {
  const { source } = useDraft();
  const { registry } = useDefinitions();
  const { value: list } = useDraftValue(`${place}/list`);
  const resource = typeof list === 'string' ? list : undefined;
  const options = (fits: (field: FieldSource) => boolean): Option[] =>
    fieldsOf(resource, source, registry)
      .filter(({ field }) => fits(field as FieldSource))
      .map(({ name, label }) => ({ value: name, label }));
  return (
    <>
      <div className={styles.studioPair}>
        <TextProperty at={`${place}/label`} label="Label" brief />
        <TextProperty at={`${place}/name`} label="Name in the URL" brief />
      </div>
      <ResourceProperty at={`${place}/list`} label="Records of" brief />
      <QueryProperty
        at={`${place}/query`}
        label="Which records"
        none="All."
        keepEmpty
        resource={resource}
        record={`the ${source.labels.one.toLowerCase()}`}
      />
      <ChoiceProperty
        at={`${place}/at`}
        label="When"
        ways={options((field) => writtenTypeOf(field).holds === 'instant')}
        brief
      />
      <ChoiceProperty
        at={`${place}/by`}
        label="Who"
        ways={options((field) => writtenTypeOf(field).holds === 'record')}
        none="Nobody is named"
        brief
      />
      <TextProperty at={`${place}/text`} label="What happened, such as: set the result to {result}" brief />
    </>
  );
}
