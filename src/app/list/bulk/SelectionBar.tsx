import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { formatNumber } from '../../../engine/formats/numbers';
import type { Field } from '../../../engine/definitions/definition';
import { canDo } from '../../../engine/access/can-do';
import { keyFields } from '../../../engine/lists/inline-edit';
import { recordsAllowedInBulk } from '../../../engine/lists/bulk';
import {
  isArchived,
  labelForMany,
  mayOpenScreen,
  rowActions,
  screenPath,
  takesRecords,
} from '../../../engine/lists/row-actions';
import { reportError } from '../../data/ErrorToasts';
import { useDefinitions } from '../../data/DefinitionsContext';
import { useEvaluationContext } from '../../data/useEvaluationContext';
import { Icon } from '../../icons/Icon';
import { useCommands, areSingleKeysOn } from '../../commands/commands';
import { Download } from '../export/DownloadButton';
import { setFieldText } from '../inline/setFieldText';
import { recordsState } from '../../actions/screenRecords';
import { useManyCall } from '../../actions/useManyCall';
import { maxSelection, useResourceList } from '../ResourceList';
import { noneSelected } from '../grid/selection';
import { lazyComponent } from '../../states/lazyComponent';
import type { BulkChange } from './runBulk';
import * as styles from './bulk.module.css';

const BulkDialog = lazyComponent(() => import('./BulkDialog').then((module) => ({ default: module.BulkDialog })));

/** Something that can be done with the selected records. */
interface Choice {
  readonly id: string;
  readonly label: string;
  readonly icon: string;
  readonly keys?: string;
  readonly change: BulkChange;
  /** The only field that is asked for at first. */
  readonly field?: Field;
}

const fieldChoice = (field: Field, person: Field | undefined): Choice => {
  const { icon, label } = setFieldText(field, person);
  return { id: `set ${field.name}`, label: label.replace('…', ''), icon, change: 'edit', field };
};

/** Actions for the selected rows. It floats above the footer, so that nothing moves when it appears. */
export function SelectionBar() {
  const { definition, state, total = 0, perPage, selection, onSelectAll } = useResourceList();
  const { rights, selected, select } = selection;
  const { actor, registry } = useDefinitions();
  const evaluationContext = useEvaluationContext(definition);
  const records = [...selected.values()];
  const requests = rights.requests.filter(
    (request) => recordsAllowedInBulk(definition, actor, records, request, evaluationContext).length > 0,
  );
  const count = `${formatNumber(selected.size)} selected`;
  const [change, setChange] = useState<Choice | null>(null);
  const [isSelectingAll, setSelectingAll] = useState(false);
  const { call, isBusy } = useManyCall();
  const navigate = useNavigate();
  const calls = definition.list.actions.flatMap((action) => {
    if (action.calls?.idsProperty === undefined) return [];
    const matchingRecords = records.filter((record) =>
      rowActions(definition, record, actor, evaluationContext).some(({ name }) => name === action.name),
    );
    return matchingRecords.length === 0
      ? []
      : [{ action, run: () => call(action, matchingRecords, () => select(noneSelected)) }];
  });
  const screens = definition.list.actions.flatMap((action) => {
    if (!takesRecords(action) || !mayOpenScreen(action, actor)) return [];
    const matchingRecords = records.filter(
      (record) => !isArchived(record) && canDo(actor, definition, 'view', record, evaluationContext),
    );
    if (matchingRecords.length === 0) return [];
    const run = () => void navigate(screenPath(action, {}), recordsState({ ids: matchingRecords.map(({ id }) => id) }));
    return [{ action: { ...action, label: labelForMany(action, matchingRecords.length) }, run }];
  });
  const wholePage = selected.size >= perPage && selected.size < total && total <= maxSelection;

  const selectAll = async () => {
    setSelectingAll(true);
    try {
      await onSelectAll();
    } catch (error) {
      reportError(error as Error);
    } finally {
      setSelectingAll(false);
    }
  };
  const { person, state: status } = keyFields(definition, registry, rights.fields);
  const keyed = [...(status ? [{ field: status, keys: 's' }] : []), ...(person ? [{ field: person, keys: 'a' }] : [])];
  const [firstField, ...otherFields] = rights.fields;
  const choices: Choice[] = [
    ...keyed.map(({ field, keys }) => ({ ...fieldChoice(field, person), keys })),
    ...(otherFields.length > 0
      ? [{ id: 'edit', label: 'Edit', icon: 'pencil', keys: 'e', change: 'edit' as const }]
      : []),
    ...(firstField && otherFields.length === 0 && keyed.length === 0 ? [fieldChoice(firstField, person)] : []),
    ...requests.map((request) => ({ id: request.name, label: request.label, icon: request.icon, change: request })),
    ...(rights.copy && records.some((record) => !isArchived(record))
      ? [{ id: 'copy', label: 'Copy', icon: 'copy', change: 'copy' as const }]
      : []),
  ];
  const deletion: Choice | undefined = rights.delete
    ? { id: 'delete', label: 'Delete', icon: 'trash', change: 'delete' }
    : undefined;
  useCommands(() => {
    return [
      ...[...choices, ...(deletion ? [deletion] : [])].map((choice) => ({
        ...{ id: `selected ${choice.id}`, label: choice.label, icon: choice.icon, keys: choice.keys },
        recordsText: count,
        run: () => setChange(choice),
      })),
      ...[...screens, ...calls].map(({ action: { name, label, icon }, run }) => ({
        id: `selected ${name}`,
        label,
        icon,
        recordsText: count,
        run,
      })),
      {
        id: 'clear selection',
        label: 'Clear selection',
        icon: 'close',
        recordsText: count,
        run: () => select(noneSelected),
      },
    ];
  });
  const choiceButton = (choice: Choice) => (
    <Button key={choice.id} variant="text" startIcon={<Icon name={choice.icon} />} onClick={() => setChange(choice)}>
      {choice.label}
      {choice.keys && areSingleKeysOn() && <kbd aria-hidden="true">{choice.keys.toUpperCase()}</kbd>}
    </Button>
  );
  // Other filters end a selection, so that the list's own still hold for it.
  const onlySelected = { ...state, filters: { ...state.filters, id: [...selected.keys()] } };
  return (
    <>
      <div className={styles.selectionBar} role="region" aria-label="Selection">
        <b className="num" role="status">
          {count}
        </b>
        <span className={styles.selectionLine} />
        {wholePage && (
          <Button variant="text" color="info" disabled={isSelectingAll} onClick={() => void selectAll()}>
            Select all {formatNumber(total)}
          </Button>
        )}
        {choices.map(choiceButton)}
        {screens.map(({ action: { name, label, icon }, run }) => (
          <Button key={name} variant="text" startIcon={<Icon name={icon} />} onClick={run}>
            {label}
          </Button>
        ))}
        {calls.map(({ action: { name, label, icon }, run }) => (
          <Button key={name} variant="text" startIcon={<Icon name={icon} />} disabled={isBusy} onClick={run}>
            {label}
          </Button>
        ))}
        <Download total={selected.size} state={onlySelected} recordsText={count} short />
        {deletion && choiceButton(deletion)}
        <span className={styles.selectionLine} />
        <IconButton size="small" aria-label="Clear selection" onClick={() => select(noneSelected)}>
          <Icon name="close" />
        </IconButton>
      </div>
      {change && (
        <BulkDialog
          {...{ definition }}
          change={change.change}
          first={change.field}
          fields={rights.fields}
          records={records}
          onClose={() => setChange(null)}
          onDone={(failed) => select(new Map(failed.map((record) => [Number(record.id), record])))}
        />
      )}
    </>
  );
}
