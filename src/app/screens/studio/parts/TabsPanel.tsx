import { JsonProperty } from '../properties/JsonProperty';
import { ListProperty } from '../properties/ListProperty';
import { TextProperty } from '../properties/TextProperty';
import { useDraftValue } from '../properties/useDraftValue';
import * as styles from '../properties/properties.module.css';

/** The tabs of the list, each with a part of the records. */
export function TabsPanel() {
  const { hint } = useDraftValue('/list/tabs');
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
            <JsonProperty at={`${place}/filter`} label="Which records" />
          </>
        )}
      </ListProperty>
    </>
  );
}
