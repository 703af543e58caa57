import { labelOf } from '../../../../engine/definitions/labels';
import type { FieldSource, Source } from '../../../../engine/definitions/source';
import { writtenTypeOf } from '../../../../engine/field-types';
import { totalLabels } from '../../../../engine/lists/group-rows';
import { groupUnits } from '../../../../engine/lists/grouping';
import { totalFunctions } from '../../../../engine/lists/totals';
import { useDraft } from '../draft';
import { ChoiceProperty, MultiChoiceProperty, type Option } from '../properties/ChoiceProperty';
import { MapProperty } from '../properties/MapProperty';
import { allFields, fieldOptions } from '../properties/fieldOptions';

const isDate = (field: FieldSource) => ['day', 'instant'].includes(writtenTypeOf(field).holds);
const isGrouped = (field: FieldSource) =>
  isDate(field) ||
  ['record', 'boolean'].includes(writtenTypeOf(field).holds) ||
  (field.options !== undefined && field.many !== true);
const isSummed = (field: FieldSource) => writtenTypeOf(field).isSummable === true;

/** What a list can be grouped by: fields, dates by each period. */
export function groupingOptions(source: Source): Option[] {
  return Object.entries(allFields(source))
    .filter(([, field]) => field.secret !== true && isGrouped(field))
    .flatMap(([name, field]) => {
      const label = field.label ?? labelOf(name);
      return isDate(field)
        ? groupUnits.map((unit) => ({ value: `${name}:${unit}`, label: `${label} by ${unit}` }))
        : [{ value: name, label }];
    });
}

/** What the list is grouped by, and the totals of its columns. */
export function Grouping() {
  const { source } = useDraft();
  return (
    <>
      <ChoiceProperty at="/list/group/by" label="Grouped by" ways={groupingOptions(source)} none="Nothing" brief />
      <MultiChoiceProperty
        at="/list/group/fields"
        label="Users can group by"
        ways={fieldOptions(source, isGrouped)}
        usual="All columns that can be grouped"
        brief
      />
      <MapProperty
        at="/list/totals"
        label="Totals of columns"
        add="Add a total"
        none="No totals: users choose their own"
        ways={fieldOptions(source, isSummed)}
        blank={() => 'sum'}
      >
        {(place, _key, title) => (
          <ChoiceProperty
            at={place}
            label={`What is taken of ${title}`}
            ways={totalFunctions.map((value) => ({ value, label: totalLabels[value] }))}
          />
        )}
      </MapProperty>
    </>
  );
}
