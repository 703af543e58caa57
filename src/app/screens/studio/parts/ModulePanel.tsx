import { useDefinitions } from '../../../admin/DefinitionsContext';
import { useDraft } from '../draft';
import { IconChoice } from '../modules/IconChoice';
import { writtenTypeOf } from '../../../../engine/field-types';
import type { FieldSource } from '../../../../engine/definitions/source';
import { ChoiceProperty, MultiChoiceProperty } from '../properties/ChoiceProperty';
import { LabelledInput } from '../properties/LabelledInput';
import { SwitchProperty, SwitchRow } from '../properties/SwitchProperty';
import { NumberProperty, TextProperty } from '../properties/TextProperty';
import { useDraftValue } from '../properties/useDraftValue';
import { inverseOptions } from '../properties/relationOptions';
import { fieldOptions } from '../properties/fieldOptions';
import { AudienceProperty } from './audience';
import { ChipInputs } from './ChipInputs';
import * as styles from '../properties/properties.module.css';

const scopeOptions = [
  { value: 'company', label: 'Each company has its own' },
  { value: 'installation', label: 'All companies share them' },
  { value: 'both', label: 'Shared records, and each company’s own' },
  { value: 'self', label: 'A record is the company itself' },
];

/** Whether a field's value is short enough to show beside a title. */
const isShortField = (field: FieldSource) => field.computed === undefined && writtenTypeOf(field).isDetail === true;

/** Properties of the module: names, menu, ownership of records, history, comments and archive. */
export function ModulePanel() {
  const { source } = useDraft();
  return (
    <>
      <div className={styles.studioPair}>
        <TextProperty at="/labels/one" label="Singular name" brief />
        <TextProperty at="/labels/many" label="Plural name" brief />
      </div>
      <TextProperty at="/description" label="Description" lines={2} />
      <ChoiceProperty at="/scope" label="Records belong to" ways={scopeOptions} none="Each company has its own" brief />
      <TextProperty at="/recordTitle" label="Record title" usual="{name}" />
      <MultiChoiceProperty
        at="/choices/detail"
        label="Details that distinguish records with the same title"
        ways={fieldOptions(source, isShortField)}
        usual="Its parent, and its number"
      />
      <SwitchProperty at="/choices/always" label="Always show the details" usual={false} />
      <hr />
      <Menu />
      <hr />
      <ChipInputs />
      <hr />
      <SwitchProperty at="/history" label="Keep a history of changes" usual />
      <Comments />
      <Timer />
      <Archive name={source.name} one={source.labels.one} />
    </>
  );
}

const isRelated = (field: FieldSource) => writtenTypeOf(field).holds === 'record';
const isTimeOfDay = (field: FieldSource) => writtenTypeOf(field).holds === 'time' && field.on !== undefined;

/** What the records' times are spent on, and the two times that a timer sets. */
function Timer() {
  const { source } = useDraft();
  return (
    <>
      <ChoiceProperty
        at="/timer/of"
        label="A timer takes the time of"
        ways={fieldOptions(source, isRelated)}
        none="No timer"
        brief
      />
      {source.timer && (
        <div className={styles.studioPair}>
          <ChoiceProperty
            at="/timer/start"
            label="It begins at"
            ways={fieldOptions(source, isTimeOfDay)}
            none="Choose a time"
            brief
          />
          <ChoiceProperty
            at="/timer/end"
            label="It ends at"
            ways={fieldOptions(source, isTimeOfDay)}
            none="Choose a time"
            brief
          />
        </div>
      )}
    </>
  );
}

const writers = [
  { value: 'view', label: 'Whoever may view the record' },
  { value: 'edit', label: 'Whoever may edit it' },
];

function Comments() {
  const { source } = useDraft();
  const { value, set, hint, error } = useDraftValue('/comments');
  const on = value !== undefined && value !== false;
  return (
    <>
      <SwitchRow
        label="People comment on records"
        {...{ on, hint, error }}
        onChange={(next) => set(next || undefined)}
      />
      {on && (
        <>
          <ChoiceProperty
            at="/comments/write"
            label="Who writes comments"
            ways={writers}
            none="Whoever may view the record"
            brief
          />
          <SwitchProperty at="/comments/form" label="Show comments in the form" usual />
          <MultiChoiceProperty
            at="/comments/watchers"
            label="Fields with people who watch a record"
            ways={fieldOptions(source, isPeople)}
            usual="All fields that refer to users"
          />
          <p className={styles.studioHint}>Who reads and writes internal comments</p>
          <AudienceProperty at="/comments/internal" usual="Nobody: no comment is internal" />
        </>
      )}
    </>
  );
}

const isPeople = (field: FieldSource) => field.to === 'users';

function Menu() {
  const { value, set } = useDraftValue('/menu');
  const shown = value !== false;
  return (
    <>
      <SwitchRow label="Show in the side menu" on={shown} onChange={(on) => set(on ? undefined : false)} />
      {shown && (
        <>
          <div className={styles.studioPair}>
            <TextProperty at="/menu/group" label="Group" usual="Reference data" brief />
            <NumberProperty at="/menu/order" label="Order" usual="100" brief />
          </div>
          <MenuIcon />
        </>
      )}
    </>
  );
}

function MenuIcon() {
  const { value, set, error } = useDraftValue('/menu/icon');
  return (
    <LabelledInput label="Icon" error={error}>
      {({ id }) => <IconChoice id={id} icon={typeof value === 'string' ? value : 'tag'} onPick={set} />}
    </LabelledInput>
  );
}

function Archive({ name, one }: { name: string; one: string }) {
  const { registry } = useDefinitions();
  const { value, set, hint, error } = useDraftValue('/archive');
  const on = value !== undefined && value !== false;
  return (
    <>
      <SwitchRow
        label="Archived instead of deleted"
        {...{ on, hint, error }}
        onChange={(next) => set(next || undefined)}
      />
      {on && (
        <>
          <TextProperty
            at="/archive/confirmRestore"
            label="Question before restoring"
            usual={`Are you sure you want to Unarchive this ${one.toLowerCase()}?`}
            brief
          />
          <MultiChoiceProperty
            at="/archive/cascade"
            label="Archived and restored with it"
            ways={inverseOptions(registry, name)}
            usual="Nothing"
          />
        </>
      )}
    </>
  );
}
