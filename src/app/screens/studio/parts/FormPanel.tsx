import { ConditionProperty } from '../conditions/ConditionProperty';
import { useDefinitions } from '../../../admin/DefinitionsContext';
import { useDraft } from '../draft';
import { ListProperty } from '../properties/ListProperty';
import { SwitchProperty, SwitchRow } from '../properties/SwitchProperty';
import { TextProperty } from '../properties/TextProperty';
import { useDraftValue } from '../properties/useDraftValue';
import { ChoiceProperty } from '../properties/ChoiceProperty';
import { ResourceProperty } from '../properties/ResourceProperty';
import { SuggestedProperty } from '../properties/SuggestedProperty';
import { WidthProperty } from '../properties/WidthProperty';
import { QueryProperty } from './QueryProperty';
import { Sections } from './Sections';
import * as styles from '../properties/properties.module.css';

/** Properties of the form: its sections, whether it is a dialog, and its tabs. */
export function FormPanel() {
  const { source } = useDraft();
  return (
    <>
      <h3 className={styles.studioPart}>Sections</h3>
      <Sections />
      <hr />
      <Dialog at="/form/dialog" label="The form is a dialog on its list" />
      <Dialog at="/form/popup" label="Within another record’s tab, Add opens it in a popup" />
      <hr />
      <h3 className={styles.studioPart}>Tabs</h3>
      <ListProperty
        at="/form/tabs"
        label="Tabs"
        add="Add a tab"
        none="No lists beside the form"
        blank={(tabs) => ({
          name: `tab-${tabs.length + 1}`,
          label: `Tab ${tabs.length + 1}`,
          list: source.name,
          query: {},
        })}
        titleOf={({ label }) => String(label ?? '')}
        noteOf={({ list }) => String(list ?? '')}
      >
        {(place) => (
          <>
            <div className={styles.studioPair}>
              <TextProperty at={`${place}/label`} label="Label" brief />
              <TextProperty at={`${place}/name`} label="Name in the URL" brief />
            </div>
            <ResourceProperty at={`${place}/list`} label="List of" brief />
            <TabRecords place={place} />
            <ConditionProperty at={`${place}/visible`} label="Visible when" />
          </>
        )}
      </ListProperty>
      <hr />
      <h3 className={styles.studioPart}>After saving</h3>
      <Redirects />
    </>
  );
}

/** Which records a tab lists, and what one that is added there begins with. */
function TabRecords({ place }: { place: string }) {
  const { source } = useDraft();
  const { value: list } = useDraftValue(`${place}/list`);
  const resource = typeof list === 'string' ? list : undefined;
  const record = `the ${source.labels.one.toLowerCase()}`;
  return (
    <>
      <QueryProperty at={`${place}/query`} label="Which records" none="All." keepEmpty {...{ resource, record }} />
      <QueryProperty
        at={`${place}/values`}
        label="Further values of a record added there"
        none="None."
        {...{ resource, record }}
      />
    </>
  );
}

const afterOptions = [
  { value: 'create', label: 'A record was added' },
  { value: 'edit', label: 'A record was changed' },
];

/** Where to go after saving. */
function Redirects() {
  const { registry } = useDefinitions();
  const paths = [...registry.definitions.values()].map(({ name, labels }) => ({
    value: `/${name}`,
    label: labels.many,
  }));
  return (
    <ListProperty
      at="/form/redirects"
      label="After saving"
      add="Add a page to go to"
      none="The list"
      blank={() => ({ to: '/' })}
      titleOf={({ to }) => paths.find(({ value }) => value === to)?.label ?? String(to ?? '')}
    >
      {(place) => (
        <>
          <ChoiceProperty at={`${place}/after`} label="After" ways={afterOptions} none="Either" brief />
          <SuggestedProperty at={`${place}/to`} label="Goes to the page" ways={paths} emptied="/" brief />
          <ConditionProperty at={`${place}/when`} label="Only if" />
        </>
      )}
    </ListProperty>
  );
}

/** Whether the form is shown above another page, and how wide. */
function Dialog({ at, label }: { at: string; label: string }) {
  const { value, set, hint, error } = useDraftValue(at);
  return (
    <>
      <SwitchRow
        {...{ label, hint, error }}
        on={value !== undefined}
        onChange={(on) => set(on ? { width: 640 } : undefined)}
      />
      {value !== undefined && (
        <WidthProperty at={`${at}/width`} needed label={at === '/form/dialog' ? 'Width' : 'Width of the popup'} brief />
      )}
      {value !== undefined && at === '/form/dialog' && (
        <SwitchProperty at={`${at}/side`} label="It is a panel at the side" usual={false} />
      )}
    </>
  );
}
