import { writtenTypeOf } from '../../../../engine/field-types';
import { hasPeriods } from '../../../../engine/lists/groupable';
import type { FieldSource, Source } from '../../../../engine/definitions/source';
import { ConditionProperty } from '../conditions/ConditionProperty';
import { useDraftPart } from '../draft';
import { ChoiceProperty } from '../properties/ChoiceProperty';
import { fieldOptions } from '../properties/fieldOptions';
import { ListProperty } from '../properties/ListProperty';
import { TextProperty } from '../properties/TextProperty';
import { useDraftValue } from '../properties/useDraftValue';
import * as styles from '../properties/properties.module.css';

const kinds = [
  { value: 'bar', label: 'Bars' },
  { value: 'line', label: 'Lines' },
  { value: 'doughnut', label: 'Doughnut' },
  { value: 'number', label: 'Number' },
];
const steps = ['day', 'week', 'month'].map((step) => ({ value: step, label: step }));

const isDated = ({ type = 'text' }: FieldSource) => hasPeriods({ type });
const isGroup = (field: FieldSource) => {
  const { holds, filterable } = writtenTypeOf(field);
  return filterable && !field.many && ['text', 'boolean', 'record', 'day', 'instant'].includes(holds);
};

const choicesOf = (source: Source) => ({
  groups: fieldOptions(source, isGroup),
  series: fieldOptions(source, (field) => isGroup(field) && !isDated(field)),
  numbers: fieldOptions(source, (field, name) => name !== 'id' && writtenTypeOf(field).isSummable === true),
});

/** The charts above the list: of what kind, by which fields, and which number. */
export function ChartsPanel() {
  const { hint } = useDraftValue('/list/charts');
  const ways = useDraftPart(({ source }) => choicesOf(source));
  return (
    <>
      <p className={styles.studioHint}>{hint}</p>
      <ListProperty
        at="/list/charts"
        label="Charts"
        add="Add a chart"
        none="No charts"
        blank={(charts) => ({
          name: `chart-${charts.length + 1}`,
          label: `Chart ${charts.length + 1}`,
          kind: ways.groups.length > 0 ? 'bar' : 'number',
          ...(ways.groups[0] && { group: ways.groups[0].value }),
        })}
        titleOf={({ label }) => String(label ?? '')}
        noteOf={({ kind }) => String(kind ?? '')}
      >
        {(place) => <ChartInputs {...{ place, ways }} />}
      </ListProperty>
    </>
  );
}

function ChartInputs({ place, ways }: { place: string; ways: ReturnType<typeof choicesOf> }) {
  const { value: kind } = useDraftValue(`${place}/kind`);
  const { value: group } = useDraftValue(`${place}/group`);
  const { value: step } = useDraftValue(`${place}/step`);
  const dated = useDraftPart(({ source }) => fieldOptions(source, isDated)).some(({ value }) => value === group);
  return (
    <>
      <div className={styles.studioPair}>
        <TextProperty at={`${place}/label`} label="Label" brief />
        <TextProperty at={`${place}/name`} label="Name" brief />
      </div>
      <ChoiceProperty at={`${place}/kind`} label="Kind" ways={kinds} />
      {(kind !== 'number' || group !== undefined) && (
        <ChoiceProperty at={`${place}/group`} label="Labels" ways={ways.groups} none="None" />
      )}
      {(dated || step !== undefined) && (
        <ChoiceProperty at={`${place}/step`} label="Periods" ways={steps} none="month" brief />
      )}
      {kind !== 'number' && kind !== 'doughnut' && (
        <ChoiceProperty at={`${place}/by`} label="Series" ways={ways.series} none="One series" brief />
      )}
      <ChoiceProperty at={`${place}/sum`} label="Sum of" ways={ways.numbers} none="Number of records" brief />
      <ChoiceProperty at={`${place}/avg`} label="Average of" ways={ways.numbers} none="None" brief />
      <ConditionProperty at={`${place}/where`} label="Only records where" />
    </>
  );
}
