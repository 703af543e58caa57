import { ConditionProperty } from '../conditions/ConditionProperty';
import { useDraft } from '../draft';
import { ListProperty } from '../properties/ListProperty';
import { SwitchRow } from '../properties/SwitchProperty';
import { NumberProperty, TextProperty } from '../properties/TextProperty';
import { useDraftValue } from '../properties/useDraftValue';
import { ResourceProperty } from '../properties/ResourceProperty';
import { JsonProperty } from '../properties/JsonProperty';
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
      <Dialog />
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
            <JsonProperty at={`${place}/query`} label="Which records" />
            <ConditionProperty at={`${place}/visible`} label="Visible when" />
          </>
        )}
      </ListProperty>
    </>
  );
}

/** Whether the form is a dialog on its list, and how wide. */
function Dialog() {
  const { value, set, hint, error } = useDraftValue('/form/dialog');
  const width = (value as { width?: unknown } | undefined)?.width;
  return (
    <>
      <SwitchRow
        label="The form is a dialog on its list"
        on={value !== undefined}
        {...{ hint, error }}
        onChange={(on) => set(on ? { width: 640 } : undefined)}
      />
      {typeof width === 'number' && <NumberProperty at="/form/dialog/width" label="Width in pixels" brief />}
      {typeof width === 'string' && <TextProperty at="/form/dialog/width" label="Width" brief />}
    </>
  );
}
