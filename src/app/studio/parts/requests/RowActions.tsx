import { useMemo } from 'react';
import { labelOf } from '../../../../engine/definitions/labels';
import { normalise } from '../../../../engine/normalise/normalise';
import { partAt } from '../../../../engine/studio/part-keys';
import { kindOfPart } from '../../../../engine/studio/part-kinds';
import { itemAt } from '../../../../engine/values/lookups';
import { useDefinitions } from '../../../data/DefinitionsContext';
import { useDraft } from '../../draft';
import { draftErrors, isWithin } from '../../draftPlaces';
import { AddMenu } from '../../properties/AddMenu';
import { beginKind } from '../../properties/beginPart';
import { PartForm } from '../../properties/PartForm';
import { PlaceErrors } from '../../properties/PlaceErrors';
import { SortedList } from '../../properties/SortedList';
import { useDraftValue } from '../../properties/useDraftValue';
import * as styles from '../../properties/properties.module.css';

type Action = string | Readonly<Record<string, unknown>>;

const pointer = '/list/actions';
const newAction = ['list', 'actions', '-'];
const nameOf = (action: Action) => (typeof action === 'string' ? action : String(action.name));
/** The actions of a row, in order: built-in ones, requests, and own ones that lead to other modules. */
export function RowActions() {
  const draft = useDraft();
  const { source, valid } = draft;
  const { registry } = useDefinitions();
  const { keys, kinds } = partAt(source, newAction) as Required<ReturnType<typeof partAt>>;
  const { value, set, hint } = useDraftValue(pointer);
  const requests = useMemo(() => normalise(valid.source).requests, [valid.source]);
  const defaultActions = source.archive ? ['edit', 'unarchive', 'delete'] : ['edit', 'delete'];
  const actions = (Array.isArray(value) ? value : defaultActions) as readonly Action[];
  const names = actions.map(nameOf);
  const builtIn = [
    'edit',
    'view',
    ...(source.copy ? ['copy'] : []),
    ...(source.archive ? ['unarchive'] : []),
    'delete',
  ];
  const knownNames = new Set([...builtIn, ...Object.keys(source.requests ?? {}), ...Object.keys(requests)]);
  const free = [...knownNames].filter((name) => !names.includes(name));
  const labelOfAction = (action: Action) =>
    typeof action === 'string'
      ? (source.requests?.[action]?.label ?? requests[action]?.label ?? labelOf(action))
      : String(action.label ?? labelOf(nameOf(action)));
  const add = (name: string) => {
    if (!Object.hasOwn(kinds.by, name)) return set([...actions, name]);
    let number = 1;
    while (names.includes(`action_${number}`)) number += 1;
    const initialPart = beginKind(keys, kinds, name, { source, registry });
    set([...actions, { name: `action_${number}`, label: 'New action', icon: 'chevron-right', ...initialPart }]);
  };
  return (
    <div className={styles.studioGroup}>
      <p className={styles.studioHint}>{hint}</p>
      <SortedList
        label="Row actions"
        items={actions}
        emptyText="No actions"
        keyOf={(action) => nameOf(action)}
        titleOf={labelOfAction}
        noteOf={(action) => (typeof action === 'string' ? '' : kinds.by[kindOfPart(action, kinds) ?? '']?.label)}
        isWrong={(_, index) => draftErrors(draft).some(({ path }) => isWithin(path, `${pointer}/${index}`))}
        onMove={(oldIndex, newIndex) =>
          set(actions.toSpliced(oldIndex, 1).toSpliced(newIndex, 0, itemAt(actions, oldIndex)))
        }
        onRemove={(index) => set(actions.toSpliced(index, 1))}
      >
        {(action, index) => (
          <>
            <PlaceErrors pointer={`${pointer}/${index}`} />
            {typeof action === 'string' ? (
              <p className={styles.studioHint}>It has no settings of its own here.</p>
            ) : (
              <PartForm pointer={`${pointer}/${index}`} />
            )}
          </>
        )}
      </SortedList>
      <AddMenu
        label="Add an action"
        options={[
          ...free.map((name) => ({ value: name, label: labelOfAction(name) })),
          ...Object.entries(kinds.by).map(([name, { label }]) => ({ value: name, label: `${label}…` })),
        ]}
        onAdd={add}
      />
    </div>
  );
}
