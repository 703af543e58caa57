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
  { value: 'both', label: 'Shared records, and each company’s own' },
  { value: 'self', label: 'A record is the company itself' },
];

/** Whether a field's value is short enough to show beside a title. */
const saysItself = ({ type = 'text', computed }: FieldSource) => computed === undefined && detailTypes.has(type);

/** Properties of the module: names, menu, ownership of records, history and archive. */
export function ModulePanel() {
  const { source } = useDraft();
  return (
    <>
      <div className="studio-pair">
        <TextAt at="/labels/one" label="Singular name" brief />
        <TextAt at="/labels/many" label="Plural name" brief />
      </div>
      <TextAt at="/description" label="Description" lines={2} />
      <ChoiceAt at="/scope" label="Records belong to" ways={scopes} none="Each company has its own" brief />
      <TextAt at="/recordTitle" label="Record title" usual="{name}" />
      <ManyAt
        at="/choices/detail"
        label="Details that distinguish records with the same title"
        ways={fieldWays(source, saysItself)}
        usual="Its parent, and its number"
      />
      <SwitchAt at="/choices/always" label="Always show the details" usual={false} />
      <hr />
      <Menu />
      <hr />
      <SwitchAt at="/history" label="Keep a history of changes" usual />
      <Archive one={source.labels.one} />
    </>
  );
}

function Menu() {
  const { value, set } = useAt('/menu');
  const shown = value !== false;
  return (
    <>
      <SwitchRow label="Show in the side menu" on={shown} onChange={(on) => set(on ? undefined : false)} />
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
          label="Question before restoring"
          usual={`Are you sure you want to Unarchive this ${one.toLowerCase()}?`}
          brief
        />
      )}
    </>
  );
}
