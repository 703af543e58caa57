import { useDraftPart } from '../draft';
import { ListProperty } from '../properties/ListProperty';
import { SwitchProperty } from '../properties/SwitchProperty';
import { TextProperty } from '../properties/TextProperty';
import { useDraftValue } from '../properties/useDraftValue';
import { QueryProperty } from './QueryProperty';
import * as styles from '../properties/properties.module.css';

/** The tabs of the list, each with a part of the records. */
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
    </>
  );
}
