import { JsonAt } from '../properties/JsonAt';
import { ListAt } from '../properties/ListAt';
import { TextAt } from '../properties/TextAt';
import { useAt } from '../properties/useAt';

/** The tabs of the list, each with a part of the records. */
export function TabsPanel() {
  const { hint } = useAt('/list/tabs');
  return (
    <>
      <p className="studio-hint">{hint}</p>
      <ListAt
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
            <div className="studio-pair">
              <TextAt at={`${place}/label`} label="Label" brief />
              <TextAt at={`${place}/name`} label="Name in the URL" brief />
            </div>
            <JsonAt at={`${place}/filter`} label="Which records" />
          </>
        )}
      </ListAt>
    </>
  );
}
