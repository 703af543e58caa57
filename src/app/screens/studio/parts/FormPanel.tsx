import { ConditionProperty } from '../conditions/ConditionProperty';
import { useDefinitions } from '../../../admin/DefinitionsContext';
import { useDraft } from '../draft';
import { ListProperty } from '../properties/ListProperty';
import { SwitchProperty, SwitchRow } from '../properties/SwitchProperty';
import { TextProperty } from '../properties/TextProperty';
import { useDraftValue } from '../properties/useDraftValue';
import { ChoiceInput, ChoiceProperty } from '../properties/ChoiceProperty';
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
      <Shape />
      <Popup />
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

const shapes = [
  { value: 'dialog', label: 'A dialog over its list' },
  { value: 'page', label: 'A page' },
];

/** Whether the form is a page or a dialog over its list, and how wide. */
function Shape() {
  const { value, set, error, hint } = useDraftValue('/form/dialog');
  const chosen = value === undefined ? '' : value === false ? 'page' : 'dialog';
  const choose = (shape: string) => set(shape === 'dialog' ? { width: 640 } : shape === 'page' ? false : undefined);
  return (
    <>
      <ChoiceInput
        label="The form is"
        ways={shapes}
        none="By its size: a small one is a dialog"
        {...{ error, hint, chosen }}
        onChoose={choose}
      />
      {chosen === 'dialog' && (
        <>
          <WidthProperty at="/form/dialog/width" needed label="Width" brief />
          <SwitchProperty at="/form/dialog/side" label="It is a panel at the side" usual={false} />
        </>
      )}
    </>
  );
}

/** Whether Add within another record opens the form in a popup, and how wide. */
function Popup() {
  const { value, set, hint, error } = useDraftValue('/form/popup');
  return (
    <>
      <SwitchRow
        label="Within another record’s tab, Add opens it in a popup"
        {...{ hint, error }}
        on={value !== undefined}
        onChange={(on) => set(on ? { width: 640 } : undefined)}
      />
      {value !== undefined && <WidthProperty at="/form/popup/width" needed label="Width of the popup" brief />}
    </>
  );
}
