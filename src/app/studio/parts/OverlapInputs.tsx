import type { Source } from '../../../engine/language/source';
import { writtenTypeOf } from '../../../engine/field-types';
import { firstOf, itemAt } from '../../../engine/values/lookups';
import { useDraftPart } from '../draft';
import { ChoiceProperty } from '../properties/ChoiceProperty';
import { fieldOptions } from '../properties/fieldOptions';
import { PartForm } from '../properties/PartForm';
import { SwitchRow } from '../properties/SwitchProperty';
import { useDraftValue } from '../properties/useDraftValue';
import * as styles from '../properties/properties.module.css';

type TimeKind = 'day' | 'instant';

/** The stored fields of a definition's own that hold a day, or an instant. */
const timesOf = (source: Source, kind: TimeKind) =>
  fieldOptions(
    source,
    (field, name) => name in source.fields && field.computed === undefined && writtenTypeOf(field).holds === kind,
  );
/** Spans of time that no two records have in common: where they begin and end, and of which records. */
export function OverlapInputs() {
  const { value, set, hint, error } = useDraftValue('/noOverlap');
  const fieldOptions = useDraftPart(({ source }) => ({
    days: timesOf(source, 'day'),
    instants: timesOf(source, 'instant'),
  }));
  const isOff = value === undefined;
  const pair = [fieldOptions.days, fieldOptions.instants].find((times) => times.length > 1);
  const times = [...fieldOptions.days, ...fieldOptions.instants];
  const begin = () => (pair ? { fields: [firstOf(pair).value, itemAt(pair, 1).value] } : undefined);
  return (
    <>
      <SwitchRow
        label="Spans of time do not overlap"
        isOn={!isOff}
        {...{ hint, error: isOff ? error : undefined }}
        disabled={isOff && !pair}
        onChange={(isOn) => set(isOn ? begin() : undefined)}
      />
      {isOff && !pair && <p>A span needs two dates, or two dates with their times.</p>}
      {!isOff && (
        <>
          <div className={styles.studioPair}>
            <ChoiceProperty pointer="/noOverlap/fields/0" label="A span begins at" options={times} />
            <ChoiceProperty pointer="/noOverlap/fields/1" label="It ends at" options={times} />
          </div>
          <PartForm pointer="/noOverlap" />
        </>
      )}
    </>
  );
}
