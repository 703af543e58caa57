import type { FieldSource, Source } from '../../../../engine/definitions/source';
import { writtenTypeOf } from '../../../../engine/field-types';
import { useDraftPart } from '../draft';
import { ChoiceProperty, MultiChoiceProperty } from '../properties/ChoiceProperty';
import { fieldOptions } from '../properties/fieldOptions';
import { SwitchRow } from '../properties/SwitchProperty';
import { TextProperty } from '../properties/TextProperty';
import { useDraftValue } from '../properties/useDraftValue';
import * as styles from '../properties/properties.module.css';

type TimeKind = 'day' | 'instant';

/** The stored fields of a definition's own that hold a day, or an instant. */
const timesOf = (source: Source, kind: TimeKind) =>
  fieldOptions(
    source,
    (field, name) => name in source.fields && field.computed === undefined && writtenTypeOf(field).holds === kind,
  );
/** What records can have in common, so that their spans collide: one related record, or a whole number. */
const isShared = (field: FieldSource) =>
  field.computed === undefined &&
  (writtenTypeOf(field).holds === 'record' || (writtenTypeOf(field).holds === 'number' && field.integer === true));

/** Spans of time that no two records have in common: where they begin and end, and of which records. */
export function OverlapInputs() {
  const { value, set, hint, error } = useDraftValue('/noOverlap');
  const ways = useDraftPart(({ source }) => ({
    days: timesOf(source, 'day'),
    instants: timesOf(source, 'instant'),
    shared: fieldOptions(source, (field, name) => name in source.fields && isShared(field)),
  }));
  const isOff = value === undefined;
  const pair = [ways.days, ways.instants].find((times) => times.length > 1);
  const times = [...ways.days, ...ways.instants];
  const begin = () => (pair ? { fields: [pair[0]!.value, pair[1]!.value] } : undefined);
  return (
    <>
      <SwitchRow
        label="Spans of time do not overlap"
        on={!isOff}
        {...{ hint, error: isOff ? error : undefined }}
        disabled={isOff && !pair}
        onChange={(on) => set(on ? begin() : undefined)}
      />
      {isOff && !pair && <p>A span needs two dates, or two dates with their times.</p>}
      {!isOff && (
        <>
          <div className={styles.studioPair}>
            <ChoiceProperty at="/noOverlap/fields/0" label="A span begins at" ways={times} brief />
            <ChoiceProperty at="/noOverlap/fields/1" label="It ends at" ways={times} brief />
          </div>
          <MultiChoiceProperty
            at="/noOverlap/per"
            label="Among records with the same"
            ways={ways.shared}
            usual="All of a company"
          />
          <TextProperty at="/noOverlap/message" label="Message about an overlap" usual="Names the fields" />
        </>
      )}
    </>
  );
}
