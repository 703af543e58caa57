import { useDraft, useDraftPart } from '../draft';
import { ChoiceProperty, MultiChoiceProperty } from '../properties/ChoiceProperty';
import { fieldOptions } from '../properties/fieldOptions';
import { ListProperty } from '../properties/ListProperty';
import { SwitchProperty } from '../properties/SwitchProperty';
import { TextProperty } from '../properties/TextProperty';
import { useDraftValue } from '../properties/useDraftValue';
import { QueryProperty } from './QueryProperty';
import { groupingOptions } from './Grouping';
import * as styles from '../properties/properties.module.css';

/** The tabs of the list, each with a part of the records, and the views that it comes with. */
export function TabsPanel() {
  const { hint } = useDraftValue('/list/tabs');
  const name = useDraftPart(({ source }) => source.name);
  return (
    <>
      <p className={styles.studioHint}>{hint}</p>
      <ListProperty
        at="/list/tabs"
        label="Tabs"
        add="Add a tab"
        none="No tabs: the list shows all records"
        blank={(tabs) => ({ name: `tab-${tabs.length + 1}`, label: `Tab ${tabs.length + 1}`, filter: {} })}
        titleOf={({ label }) => String(label ?? '')}
        noteOf={({ name }) => String(name ?? '')}
      >
        {(place) => (
          <>
            <div className={styles.studioPair}>
              <TextProperty at={`${place}/label`} label="Label" brief />
              <TextProperty at={`${place}/name`} label="Name in the URL" brief />
            </div>
            <QueryProperty at={`${place}/filter`} label="Which records" none="All." resource={name} keepEmpty />
            <TextProperty at={`${place}/export`} label="File name of its download" usual="That of the list" brief />
            <SwitchProperty at={`${place}/linkOnly`} label="Shown only while the URL names it" />
          </>
        )}
      </ListProperty>
      <hr />
      <SavedViews />
    </>
  );
}

const viewOptions = [
  { value: 'list', label: 'List' },
  { value: 'cards', label: 'Cards' },
  { value: 'kanban', label: 'Board' },
  { value: 'calendar', label: 'Calendar' },
  { value: 'timeline', label: 'Timeline' },
  { value: 'gallery', label: 'Gallery' },
];

/** The views that the list comes with. */
function SavedViews() {
  const { source } = useDraft();
  const fields = fieldOptions(source);
  const tabs = (source.list?.tabs ?? []).map(({ name, label }) => ({ value: name, label }));
  return (
    <>
      <h3 className={styles.studioPart}>Views</h3>
      <ListProperty
        at="/list/saved"
        label="Views"
        add="Add a view"
        none="No views: people save their own"
        blank={(views) => ({ name: `view-${views.length + 1}`, label: `View ${views.length + 1}` })}
        titleOf={({ label }) => String(label ?? '')}
        noteOf={({ name }) => String(name ?? '')}
      >
        {(place) => (
          <>
            <div className={styles.studioPair}>
              <TextProperty at={`${place}/label`} label="Label" brief />
              <TextProperty at={`${place}/name`} label="Name in the URL" brief />
            </div>
            <QueryProperty at={`${place}/filter`} label="Filters" none="None." resource={source.name} />
            <TextProperty at={`${place}/sort`} label="Order" usual="That of the list" />
            <MultiChoiceProperty at={`${place}/columns`} label="Columns" ways={fields} usual="Those chosen" brief />
            <ChoiceProperty at={`${place}/view`} label="Layout" ways={viewOptions} none="The last chosen" brief />
            <ChoiceProperty
              at={`${place}/group`}
              label="Grouped by"
              ways={groupingOptions(source)}
              none="As the list"
              brief
            />
            {tabs.length > 0 && <ChoiceProperty at={`${place}/tab`} label="Tab" ways={tabs} none="The first" brief />}
          </>
        )}
      </ListProperty>
    </>
  );
}
