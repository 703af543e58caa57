import { fieldTypes } from '../../../../engine/field-types';
import { useDraft } from '../draft';
import { ChoiceProperty, MultiChoiceProperty } from '../properties/ChoiceProperty';
import { SwitchProperty } from '../properties/SwitchProperty';
import { NumberProperty, TextProperty } from '../properties/TextProperty';
import { fieldOptions, isInForms } from '../properties/fieldOptions';
import { Columns } from './Columns';
import { Grouping } from './Grouping';
import { Highlight } from './Highlight';
import { Sort } from './Sort';
import * as styles from '../properties/properties.module.css';

const rowClickOptions = [
  { value: 'page', label: 'Opens the page of the record' },
  { value: 'edit', label: 'Opens the record for editing' },
  { value: 'view', label: 'Opens the record read-only' },
  { value: 'screen', label: 'Opens the screen of its first action with one' },
];
const emptyActions = [
  { value: 'add', label: 'Add' },
  { value: 'import', label: 'Import' },
];
const viewOptions = [
  { value: 'list', label: 'List' },
  { value: 'cards', label: 'Cards' },
  { value: 'kanban', label: 'Board' },
  { value: 'calendar', label: 'Calendar' },
  { value: 'timeline', label: 'Timeline' },
  { value: 'gallery', label: 'Gallery' },
];

/** Properties of the list: columns, order, and what users can do in it. */
export function ListPanel() {
  const { source } = useDraft();
  const editable = fieldOptions(source, (field, name) => isInForms(field) && field.readOnly !== true && name !== 'id');
  const relations = fieldOptions(
    source,
    ({ type = 'text', computed }) => fieldTypes[type].holds === 'record' && computed === undefined,
  );
  return (
    <>
      <h3 className={styles.studioPart}>Columns</h3>
      <Columns />
      <SwitchProperty
        at="/list/chooseColumns"
        label="Users can choose columns"
        usual={(source.list?.columns?.length ?? 9) > 3}
      />
      <hr />
      <h3 className={styles.studioPart}>Order</h3>
      <Sort />
      <MultiChoiceProperty
        at="/list/sortChoices"
        label="Sort options"
        ways={fieldOptions(source)}
        usual="None: no sort button"
        brief
      />
      <hr />
      <h3 className={styles.studioPart}>Groups and totals</h3>
      <Grouping />
      <hr />
      <h3 className={styles.studioPart}>Rows</h3>
      <ChoiceProperty
        at="/list/rowClick"
        label="A click on a row"
        ways={rowClickOptions}
        none={source.page ? 'Opens the page of the record' : 'Does nothing'}
        brief
      />
      <MultiChoiceProperty at="/list/views" label="Views" ways={viewOptions} usual="List" />
      <MultiChoiceProperty at="/list/tree" label="Tree beside the list" ways={relations} usual="None" brief />
      <SwitchProperty at="/list/search" label="Full-text search" usual />
      <SwitchProperty at="/list/bulkDelete" label="Selected rows can be deleted together" usual />
      <MultiChoiceProperty at="/list/bulkEdit" label="Fields for bulk editing" ways={editable} usual="Nothing" brief />
      <MultiChoiceProperty
        at="/list/inlineEdit"
        label="Cells that can be edited"
        ways={editable}
        usual="Those for bulk editing"
        brief
      />
      <TextProperty
        at="/list/empty"
        label="Message for an empty list"
        usual={`No ${source.labels.many.toLowerCase()} yet.`}
        brief
      />
      <MultiChoiceProperty
        at="/list/emptyActions"
        label="Offers of an empty list"
        ways={emptyActions}
        usual="Add and import"
        brief
      />
      <NumberProperty at="/list/actionsWidth" label="Width of the actions column" usual="70" brief />
      <hr />
      <Highlight />
    </>
  );
}
