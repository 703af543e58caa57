import { labelOf } from '../../../../engine/definitions/labels';
import type { FieldSource, Source } from '../../../../engine/definitions/source';
import { writtenTypeOf, type ValueKind } from '../../../../engine/field-types';
import { useDraftPart } from '../draft';
import { ChoiceProperty, MultiChoiceProperty } from '../properties/ChoiceProperty';
import { SwitchRow } from '../properties/SwitchProperty';
import { TextProperty } from '../properties/TextProperty';
import { useDraftValue } from '../properties/useDraftValue';
import { actionOptions, fieldOptions } from '../properties/fieldOptions';
import { CardLines } from './CardLines';

const holding =
  (...kinds: ValueKind[]) =>
  (field: FieldSource) =>
    kinds.includes(writtenTypeOf(field).holds);

/** Everything that can be chosen for a board. */
const choicesOf = (source: Source) => ({
  numbers: fieldOptions(source, (field) => writtenTypeOf(field).isSummable === true),
  relations: fieldOptions(source, holding('record')),
  columns: fieldOptions(
    source,
    (field, name) =>
      name in source.fields && (holding('record')(field) || (field.options !== undefined && !field.many)),
  ),
  days: fieldOptions(source, holding('day', 'instant')),
  flags: fieldOptions(source, holding('boolean')),
  counts: fieldOptions(source, holding('referrers')),
  all: fieldOptions(source),
  actions: actionOptions(source),
  requests: Object.entries(source.requests ?? {}).map(([name, { label }]) => ({
    value: name,
    label: label ?? labelOf(name),
  })),
});

/** The list as a board. */
export function BoardPanel() {
  const { value, set, hint, error } = useDraftValue('/list/kanban');
  const ways = useDraftPart(({ source }) => choicesOf(source));
  const [column] = ways.columns;
  const { request } = (value ?? {}) as { readonly request?: string };
  return (
    <>
      <SwitchRow
        label="The list has a board"
        on={value !== undefined}
        {...{ hint, error: value === undefined ? error : undefined }}
        disabled={value === undefined && !column}
        onChange={(on) => set(on ? { column: column?.value } : undefined)}
      />
      {value === undefined && !column && <p>A board needs a select or a relation as its columns.</p>}
      {value !== undefined && (
        <>
          <TextProperty at="/list/kanban/label" label="Label of the view" usual="Kanban Board" brief />
          <ChoiceProperty at="/list/kanban/column" label="Columns" ways={ways.columns} />
          <ChoiceProperty
            at="/list/kanban/request"
            label="A move makes"
            ways={ways.requests}
            none="An edit of the field"
          />
          {request !== undefined && (
            <ChoiceProperty at="/list/kanban/field" label="A move asks for" ways={ways.all} none="Nothing" />
          )}
          <ChoiceProperty at="/list/kanban/priority" label="Mark" ways={ways.relations} none="None" />
          <ChoiceProperty at="/list/kanban/person" label="Person" ways={ways.relations} none="Nobody" />
          <CardLines at="/list/kanban/lines" />
          <ChoiceProperty at="/list/kanban/due" label="Due" ways={ways.days} none="Nothing" />
          <ChoiceProperty at="/list/kanban/late" label="Marked as late by" ways={ways.flags} none="Nothing" />
          <ChoiceProperty at="/list/kanban/sum" label="Sum of a column" ways={ways.numbers} none="None" />
          <MultiChoiceProperty at="/list/kanban/counts" label="Counts" ways={ways.counts} usual="None" />
          <MultiChoiceProperty at="/list/kanban/menu" label="Menu" ways={ways.actions} usual="None" />
        </>
      )}
    </>
  );
}
