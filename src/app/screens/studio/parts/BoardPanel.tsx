import { labelOf } from '../../../../engine/definitions/labels';
import type { FieldSource, Source } from '../../../../engine/definitions/source';
import { writtenTypeOf, type ValueKind } from '../../../../engine/field-types';
import { useDraftPart } from '../draft';
import { ChoiceProperty, MultiChoiceProperty } from '../properties/ChoiceProperty';
import { SwitchRow } from '../properties/SwitchProperty';
import { TextProperty } from '../properties/TextProperty';
import { useDraftValue } from '../properties/useDraftValue';
import { actionOptions, fieldOptions } from '../properties/fieldOptions';

const holding =
  (...kinds: ValueKind[]) =>
  (field: FieldSource) =>
    kinds.includes(writtenTypeOf(field).holds);

/** Everything that can be chosen for a board. */
const choicesOf = (source: Source) => ({
  relations: fieldOptions(source, holding('record')),
  days: fieldOptions(source, holding('day', 'instant')),
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
  const [column] = ways.relations;
  const [request] = ways.requests;
  const asked = ways.all.find(({ value: name }) => name !== 'id');
  const begin = () => set({ column: column?.value, request: request?.value, field: asked?.value });
  return (
    <>
      <SwitchRow
        label="The list has a board"
        on={value !== undefined}
        {...{ hint, error: value === undefined ? error : undefined }}
        disabled={value === undefined && !(column && request)}
        onChange={(on) => (on ? begin() : set(undefined))}
      />
      {value === undefined && !(column && request) && (
        <p>A board needs a relation as its columns, and a request that a move makes.</p>
      )}
      {value !== undefined && (
        <>
          <TextProperty at="/list/kanban/label" label="Label of the view" usual="Kanban Board" brief />
          <ChoiceProperty at="/list/kanban/column" label="Columns" ways={ways.relations} />
          <ChoiceProperty at="/list/kanban/request" label="A move makes" ways={ways.requests} />
          <ChoiceProperty at="/list/kanban/field" label="A move asks for" ways={ways.all} />
          <ChoiceProperty at="/list/kanban/priority" label="Mark" ways={ways.relations} none="None" />
          <ChoiceProperty at="/list/kanban/person" label="Person" ways={ways.relations} none="Nobody" />
          <ChoiceProperty at="/list/kanban/due" label="Due" ways={ways.days} none="Nothing" />
          <MultiChoiceProperty at="/list/kanban/counts" label="Counts" ways={ways.counts} usual="None" />
          <MultiChoiceProperty at="/list/kanban/menu" label="Menu" ways={ways.actions} usual="None" />
        </>
      )}
    </>
  );
}
