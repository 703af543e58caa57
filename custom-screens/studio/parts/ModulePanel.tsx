import { useDraft } from '../draft';
import { IconChoice } from '../modules/IconChoice';
import { detailTypes } from '../../../src/engine/lists/detail';
import type { FieldSource } from '../../../src/engine/definitions/source';
import { ChoiceAt, ManyAt } from '../properties/ChoiceAt';
import { Labelled } from '../properties/Labelled';
import { SwitchAt, SwitchRow } from '../properties/SwitchAt';
import { NumberAt, TextAt } from '../properties/TextAt';
import { useAt } from '../properties/useAt';
import { fieldWays } from '../properties/ways';

const scopes = [
  { value: 'company', label: 'Each company has its own' },
  { value: 'installation', label: 'All companies share them' },
  { value: 'both', label: 'Shared ones, and a company’s own' },
  { value: 'self', label: 'A record is the company itself' },
];

/** Whether a field can be said in a few words beside a title. */
const saysItself = ({ type = 'text', computed }: FieldSource) => computed === undefined && detailTypes.has(type);

/** What the module is: its names, its place in the menu, whose its records are, and what is kept of them. */
export function ModulePanel() {
  const { source } = useDraft();
  return (
    <>
      <div className="studio-pair">
        <TextAt at="/labels/one" label="One of them" brief />
        <TextAt at="/labels/many" label="Several" brief />
      </div>
      <TextAt at="/description" label="Description" lines={2} />
      <ChoiceAt at="/scope" label="Records belong to" ways={scopes} none="Each company has its own" brief />
      <TextAt at="/recordTitle" label="What a record is called" usual="{name}" />
      <ManyAt
        at="/choices/detail"
        label="What tells alike ones apart"
        ways={fieldWays(source, saysItself)}
        usual="What it lies within, and its number"
      />
      <SwitchAt at="/choices/always" label="Told apart always, not only where alike" usual={false} />
      <hr />
      <Menu />
      <hr />
      <SwitchAt at="/history" label="Every change is kept" usual />
      <Archive one={source.labels.one} />
    </>
  );
}

function Menu() {
  const { value, set } = useAt('/menu');
  const shown = value !== false;
  return (
    <>
      <SwitchRow label="In the side menu" on={shown} onChange={(on) => set(on ? undefined : false)} />
      {shown && (
        <>
          <div className="studio-pair">
            <TextAt at="/menu/group" label="Group" usual="Reference data" brief />
            <NumberAt at="/menu/order" label="Order" usual="100" brief />
          </div>
          <MenuIcon />
        </>
      )}
    </>
  );
}

function MenuIcon() {
  const { value, set, error } = useAt('/menu/icon');
  return (
    <Labelled label="Icon" error={error}>
      {({ id }) => <IconChoice id={id} icon={typeof value === 'string' ? value : 'tag'} onPick={set} />}
    </Labelled>
  );
}

function Archive({ one }: { one: string }) {
  const { value, set, hint, error } = useAt('/archive');
  const on = value !== undefined && value !== false;
  return (
    <>
      <SwitchRow
        label="Archived instead of deleted"
        {...{ on, hint, error }}
        onChange={(next) => set(next || undefined)}
      />
      {on && (
        <TextAt
          at="/archive/confirmRestore"
          label="Question before taking back"
          usual={`Are you sure you want to Unarchive this ${one.toLowerCase()}?`}
          brief
        />
      )}
    </>
  );
}
