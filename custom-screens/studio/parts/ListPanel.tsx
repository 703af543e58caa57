import { useDraft } from '../draft';
import { ChoiceAt, ManyAt } from '../properties/ChoiceAt';
import { SwitchAt } from '../properties/SwitchAt';
import { NumberAt, TextAt } from '../properties/TextAt';
import { fieldWays } from '../properties/ways';
import { Columns } from './Columns';
import { Sort } from './Sort';

const clicks = [
  { value: 'edit', label: 'Opens the record for editing' },
  { value: 'view', label: 'Opens the record read-only' },
];
const views = [
  { value: 'list', label: 'List' },
  { value: 'cards', label: 'Cards' },
  { value: 'kanban', label: 'Board' },
];

/** Properties of the list: columns, order, and what users can do in it. */
export function ListPanel() {
  const { source } = useDraft();
  const editable = fieldWays(
    source,
    ({ computed, type, readOnly }, name) =>
      computed === undefined && type !== 'inverse' && readOnly !== true && name !== 'id',
  );
  return (
    <>
      <h3 className="studio-part">Columns</h3>
      <Columns />
      <SwitchAt
        at="/list/chooseColumns"
        label="Users can choose columns"
        usual={(source.list?.columns?.length ?? 9) > 3}
      />
      <hr />
      <h3 className="studio-part">Order</h3>
      <Sort />
      <ManyAt at="/list/sortChoices" label="Sort options" ways={fieldWays(source)} usual="None: no sort button" brief />
      <hr />
      <h3 className="studio-part">Rows</h3>
      <ChoiceAt at="/list/rowClick" label="A click on a row" ways={clicks} none="Does nothing" brief />
      <ManyAt at="/list/views" label="Views" ways={views} usual="List" />
      <SwitchAt at="/list/search" label="Full-text search" usual />
      <SwitchAt at="/list/bulkDelete" label="Selected rows can be deleted together" usual />
      <ManyAt at="/list/bulkEdit" label="Fields for bulk editing" ways={editable} usual="Nothing" brief />
      <TextAt
        at="/list/empty"
        label="Message for an empty list"
        usual={`No ${source.labels.many.toLowerCase()} yet.`}
        brief
      />
      <NumberAt at="/list/actionsWidth" label="Width of the actions column" usual="70" brief />
    </>
  );
}
