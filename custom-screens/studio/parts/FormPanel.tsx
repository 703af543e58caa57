import { ConditionAt } from '../conditions/ConditionAt';
import { useDraft } from '../draft';
import { ListAt } from '../properties/ListAt';
import { SwitchRow } from '../properties/SwitchAt';
import { NumberAt, TextAt } from '../properties/TextAt';
import { useAt } from '../properties/useAt';
import { ResourceAt } from '../properties/ResourceAt';
import { JsonAt } from '../properties/JsonAt';
import { Sections } from './Sections';

/** Properties of the form: its sections, whether it is a dialog, and its tabs. */
export function FormPanel() {
  const { source } = useDraft();
  return (
    <>
      <h3 className="studio-part">Sections</h3>
      <Sections />
      <hr />
      <Dialog />
      <hr />
      <h3 className="studio-part">Tabs</h3>
      <ListAt
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
            <div className="studio-pair">
              <TextAt at={`${place}/label`} label="Label" brief />
              <TextAt at={`${place}/name`} label="Name in the URL" brief />
            </div>
            <ResourceAt at={`${place}/list`} label="List of" brief />
            <JsonAt at={`${place}/query`} label="Which records" />
            <ConditionAt at={`${place}/visible`} label="Visible when" />
          </>
        )}
      </ListAt>
    </>
  );
}

/** Whether the form is a dialog on its list, and how wide. */
function Dialog() {
  const { value, set, hint, error } = useAt('/form/dialog');
  const width = (value as { width?: unknown } | undefined)?.width;
  return (
    <>
      <SwitchRow
        label="The form is a dialog on its list"
        on={value !== undefined}
        {...{ hint, error }}
        onChange={(on) => set(on ? { width: 640 } : undefined)}
      />
      {typeof width === 'number' && <NumberAt at="/form/dialog/width" label="Width in pixels" brief />}
      {typeof width === 'string' && <TextAt at="/form/dialog/width" label="Width" brief />}
    </>
  );
}
