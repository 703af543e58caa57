import type { FieldSource, Source } from '../../../../engine/definitions/source';
import { writtenTypeOf, type ValueKind } from '../../../../engine/field-types';
import { image } from '../../../../engine/field-types/image';
import { useDraftPart } from '../draft';
import { ChoiceProperty, MultiChoiceProperty } from '../properties/ChoiceProperty';
import { ConditionProperty } from '../conditions/ConditionProperty';
import { SwitchRow } from '../properties/SwitchProperty';
import { TextProperty } from '../properties/TextProperty';
import { useDraftValue } from '../properties/useDraftValue';
import { actionOptions, fieldOptions } from '../properties/fieldOptions';
import * as styles from '../properties/properties.module.css';

const holding =
  (...kinds: ValueKind[]) =>
  (field: FieldSource) =>
    kinds.includes(writtenTypeOf(field).holds);

const choicesOf = (source: Source) => ({
  days: fieldOptions(source, holding('day', 'instant')),
  // Every record has times of its own making, which begin no calendar by themselves.
  ownDays: fieldOptions(source, (field, name) => name in source.fields && holding('day', 'instant')(field)),
  relations: fieldOptions(source, holding('record')),
  values: fieldOptions(
    source,
    (field) => holding('record')(field) || (field.options !== undefined && field.many !== true),
  ),
  images: fieldOptions(source, (field) => writtenTypeOf(field) === image),
  all: fieldOptions(source),
  actions: actionOptions(source),
});

/** The list as a calendar, as a timeline and as a gallery. */
export function ViewsPanel() {
  return (
    <>
      <CalendarPart />
      <hr />
      <TimelinePart />
      <hr />
      <GalleryPart />
    </>
  );
}

function CalendarPart() {
  const { value, set, hint, error } = useDraftValue('/list/calendar');
  const ways = useDraftPart(({ source }) => choicesOf(source));
  const [first] = ways.ownDays;
  const isOff = value === undefined;
  return (
    <>
      <h3 className={styles.studioPart}>Calendar</h3>
      <SwitchRow
        label="The list has a calendar"
        on={!isOff}
        {...{ hint, error: isOff ? error : undefined }}
        disabled={isOff && !first}
        onChange={(on) => set(on ? { start: first?.value } : undefined)}
      />
      {isOff && !first && <p>A calendar needs a date or a time.</p>}
      {!isOff && (
        <>
          <TextProperty at="/list/calendar/label" label="Label of the view" usual="Calendar" brief />
          <ChoiceProperty at="/list/calendar/start" label="First day" ways={ways.days} />
          <ChoiceProperty at="/list/calendar/end" label="Last day" ways={ways.days} none="The first day" />
          <TextProperty at="/list/calendar/title" label="Title of a bar" usual="The title of the record" />
          <ChoiceProperty at="/list/calendar/colour" label="Colour" ways={ways.values} none="None" />
          <ChoiceProperty at="/list/calendar/person" label="Person" ways={ways.relations} none="Nobody" />
          <ConditionProperty at="/list/calendar/done" label="Done" />
        </>
      )}
    </>
  );
}

function TimelinePart() {
  const { value, set, hint, error } = useDraftValue('/list/timeline');
  const ways = useDraftPart(({ source }) => choicesOf(source));
  const [first, second] = ways.ownDays;
  const isOff = value === undefined;
  return (
    <>
      <h3 className={styles.studioPart}>Timeline</h3>
      <SwitchRow
        label="The list has a timeline"
        on={!isOff}
        {...{ hint, error: isOff ? error : undefined }}
        disabled={isOff && !second}
        onChange={(on) => set(on ? { start: first?.value, end: second?.value } : undefined)}
      />
      {isOff && !second && <p>A timeline needs two dates or times.</p>}
      {!isOff && (
        <>
          <TextProperty at="/list/timeline/label" label="Label of the view" usual="Timeline" brief />
          <ChoiceProperty at="/list/timeline/start" label="First day" ways={ways.days} />
          <ChoiceProperty at="/list/timeline/end" label="Last day" ways={ways.days} />
          <TextProperty at="/list/timeline/title" label="Title of a row" usual="The title of the record" />
          <ChoiceProperty at="/list/timeline/colour" label="Colour" ways={ways.values} none="None" />
          <ChoiceProperty at="/list/timeline/group" label="Headings" ways={ways.values} none="None" />
          <ConditionProperty at="/list/timeline/done" label="Done" />
        </>
      )}
    </>
  );
}

function GalleryPart() {
  const { value, set, hint, error } = useDraftValue('/list/gallery');
  const ways = useDraftPart(({ source }) => choicesOf(source));
  const [image] = ways.images;
  const isOff = value === undefined;
  return (
    <>
      <h3 className={styles.studioPart}>Gallery</h3>
      <SwitchRow
        label="The list has a gallery"
        on={!isOff}
        {...{ hint, error: isOff ? error : undefined }}
        onChange={(on) => set(on ? { ...(image && { image: image.value }) } : undefined)}
      />
      {!isOff && (
        <>
          <TextProperty at="/list/gallery/label" label="Label of the view" usual="Gallery" brief />
          <ChoiceProperty at="/list/gallery/image" label="Picture" ways={ways.images} none="The icon of the module" />
          <TextProperty at="/list/gallery/title" label="Title of a card" usual="The title of the record" />
          <MultiChoiceProperty at="/list/gallery/fields" label="Values" ways={ways.all} usual="None" />
          <MultiChoiceProperty at="/list/gallery/menu" label="Menu" ways={ways.actions} usual="Edit, Delete" />
        </>
      )}
    </>
  );
}
