import { useMemo } from 'react';
import { labelOf } from '../../../../../engine/definitions/labels';
import { normalise } from '../../../../../engine/definitions/normalise';
import { useDefinitions } from '../../../../admin/DefinitionsContext';
import { useDraft } from '../../draft';
import { draftErrors, isWithin } from '../../places';
import { AddMenu } from '../../properties/AddMenu';
import { PartForm } from '../../properties/PartForm';
import { PlaceErrors } from '../../properties/PlaceErrors';
import { ResourceProperty } from '../../properties/ResourceProperty';
import { SortedList } from '../../properties/SortedList';
import { useDraftValue } from '../../properties/useDraftValue';
import { settableFields } from '../automations/paths';
import { ValuesEditor, type ValuesEditorProps } from '../automations/ValuesEditor';
import { QueryProperty } from '../QueryProperty';
import { CallInputs } from './CallInputs';
import * as styles from '../../properties/properties.module.css';

type Action = string | Readonly<Record<string, unknown>>;

const at = '/list/actions';
const nameOf = (action: Action) => (typeof action === 'string' ? action : String(action.name));
/** The actions that a definition can have of its own, and how each begins. */
const own: Readonly<Record<string, { label: string; begin: (resource: string) => unknown }>> = {
  goTo: { label: 'Open another list…', begin: (resource) => ({ resource }) },
  opens: { label: 'Add a record of another module…', begin: (resource) => ({ resource }) },
  screen: { label: 'Open a screen…', begin: (resource) => `/${resource}/{id}` },
  calls: { label: 'Make a call of the API…', begin: (resource) => ({ path: `${resource}/{id}` }) },
};

/** The actions of a row, in order: built-in ones, requests, and own ones that lead to other modules. */
export function RowActions() {
  const draft = useDraft();
  const { source, valid } = draft;
  const { value, set, hint } = useDraftValue(at);
  const requests = useMemo(() => normalise(valid.source).requests, [valid.source]);
  const usual = source.archive ? ['edit', 'unarchive', 'delete'] : ['edit', 'delete'];
  const actions = (Array.isArray(value) ? value : usual) as readonly Action[];
  const names = actions.map(nameOf);
  const builtIn = [
    'edit',
    'view',
    ...(source.copy ? ['copy'] : []),
    ...(source.archive ? ['unarchive'] : []),
    'delete',
  ];
  const known = new Set([...builtIn, ...Object.keys(source.requests ?? {}), ...Object.keys(requests)]);
  const free = [...known].filter((name) => !names.includes(name));
  const labelled = (action: Action) =>
    typeof action === 'string'
      ? (source.requests?.[action]?.label ?? requests[action]?.label ?? labelOf(action))
      : String(action.label ?? labelOf(nameOf(action)));
  const add = (name: string) => {
    const way = Object.hasOwn(own, name) ? own[name] : undefined;
    if (!way) return set([...actions, name]);
    let number = 1;
    while (names.includes(`action_${number}`)) number += 1;
    const begun = { name: `action_${number}`, label: 'New action', icon: 'chevron-right' };
    set([...actions, { ...begun, [name]: way.begin(source.name) }]);
  };
  return (
    <div className={styles.studioGroup}>
      <p className={styles.studioHint}>{hint}</p>
      <SortedList
        label="Row actions"
        items={actions}
        none="No actions"
        keyOf={(action) => nameOf(action)}
        titleOf={labelled}
        noteOf={(action) =>
          typeof action === 'string' ? '' : (['goTo', 'screen', 'opens', 'calls'].find((key) => key in action) ?? '')
        }
        isWrong={(_, index) => draftErrors(draft).some(({ path }) => isWithin(path, `${at}/${index}`))}
        onMove={(from, to) => set(actions.toSpliced(from, 1).toSpliced(to, 0, actions[from]!))}
        onRemove={(index) => set(actions.toSpliced(index, 1))}
      >
        {(action, index) => <ActionInputs action={action} at={`${at}/${index}`} />}
      </SortedList>
      <AddMenu
        label="Add an action"
        ways={[
          ...free.map((name) => ({ value: name, label: labelled(name) })),
          ...Object.entries(own).map(([name, { label }]) => ({ value: name, label })),
        ]}
        onAdd={add}
      />
    </div>
  );
}

function ActionInputs({ action, at: place }: { action: Action; at: string }) {
  const { source } = useDraft();
  if (typeof action === 'string')
    return (
      <>
        <PlaceErrors place={place} />
        <p className={styles.studioHint}>It has no settings of its own here.</p>
      </>
    );
  return (
    <>
      <PlaceErrors place={place} />
      <PartForm at={place} keys={['label', 'icon']} />
      {action.goTo !== undefined && (
        <>
          <ResourceProperty at={`${place}/goTo/resource`} label="Opens the list of" />
          <QueryProperty
            at={`${place}/goTo/filter`}
            label="Filter of that list"
            resource={(action.goTo as { resource?: string }).resource}
            none="None: all of its records."
            record={`the ${source.labels.one.toLowerCase()}`}
          />
        </>
      )}
      {action.screen !== undefined && <PartForm at={place} keys={['screen']} />}
      {action.opens !== undefined && <OpensInputs at={`${place}/opens`} />}
      {action.calls !== undefined && <CallInputs at={`${place}/calls`} />}
      <PartForm at={place} keys={['roles', 'levels', 'visible', 'visibleOnRecord']} />
    </>
  );
}

/** A new record of another module, and the values that it begins with. */
function OpensInputs({ at: place }: { at: string }) {
  const { source } = useDraft();
  const { registry } = useDefinitions();
  const { value: resource } = useDraftValue(`${place}/resource`);
  const { value: fixed, set: setFixed } = useDraftValue(`${place}/values`);
  const { value: initial, set: setInitial } = useDraftValue(`${place}/initial`);
  const one = source.labels.one.toLowerCase();
  const own = Object.values(normalise(source).fields).filter(({ inverse }) => !inverse);
  const editor = (value: unknown, set: (next: unknown) => void) => ({
    values: (value ?? {}) as Readonly<Record<string, unknown>>,
    fields: settableFields(String(resource), source, registry),
    onChange: (next: Readonly<Record<string, unknown>>) => set(Object.keys(next).length === 0 ? undefined : next),
  });
  const itself: ValuesEditorProps['variablesOf'] = ({ field }) =>
    field.to === source.name ? [{ value: '$record.id', words: `the ${one}` }] : [];
  return (
    <>
      <ResourceProperty at={`${place}/resource`} label="Adds a record of" />
      <ValuesEditor
        {...editor(fixed, setFixed)}
        label="Values that cannot be changed"
        add="Add a value"
        none="None."
        variablesOf={itself}
      />
      <ValuesEditor
        {...editor(initial, setInitial)}
        label="Values that it begins with"
        add="Add an initial value"
        none="Its defaults."
        variablesOf={(entry) => [
          ...itself(entry),
          ...own
            .filter(({ type, to }) => type === entry.field.type && to === entry.field.to)
            .map(({ name, label }) => ({ value: `$record.${name}`, words: `${label} of the ${one}` })),
        ]}
      />
    </>
  );
}
