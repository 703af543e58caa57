import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import { useDataProvider, type RaRecord } from 'react-admin';
import { useState } from 'react';
import { formatNumber } from '../../../engine/formats/numbers';
import type { Definition } from '../../../engine/definitions/definition';
import { recordsAllowedInBulk, type BulkPermissions } from '../../../engine/lists/bulk';
import { rowActions } from '../../../engine/lists/row-actions';
import { perPage, type ListState } from '../../../engine/lists/list-state';
import { filterWithFixed } from '../../../engine/lists/tabs';
import { reportError } from '../../admin/ErrorToasts';
import { useDefinitions } from '../../admin/DefinitionsContext';
import { useEvaluationContext } from '../../admin/useEvaluationContext';
import { Icon } from '../../icons/Icon';
import { useCommands } from '../../commands/commands';
import { useManyCall } from '../../requests/useManyCall';
import { useListScope } from '../ListScope';
import { noneSelected, type SelectedRecords } from '../grid/selection';
import { lazyComponent } from '../../states/lazyComponent';
import type { BulkChange } from './runBulk';
import * as styles from '../list.module.css';

const BulkDialog = lazyComponent(() => import('./BulkDialog').then((module) => ({ default: module.BulkDialog })));

/** The most records that can be selected at once. */
const maxSelection = 1000;

interface SelectionBarProps {
  definition: Definition;
  state: ListState;
  rights: BulkPermissions;
  selected: SelectedRecords;
  total: number;
  onSelect: (selected: SelectedRecords) => void;
}

/** Actions for the selected rows. It floats above the footer, so that nothing moves when it appears. */
export function SelectionBar({ definition, state, rights, selected, total, onSelect }: SelectionBarProps) {
  const dataProvider = useDataProvider();
  const { fixed } = useListScope();
  const { actor } = useDefinitions();
  const evaluationContext = useEvaluationContext(definition);
  const records = [...selected.values()];
  const requests = rights.requests.filter(
    (request) => recordsAllowedInBulk(definition, actor, records, request, evaluationContext).length > 0,
  );
  const count = `${formatNumber(selected.size)} selected`;
  const [change, setChange] = useState<BulkChange | null>(null);
  const [busy, setBusy] = useState(false);
  const { call, isBusy } = useManyCall();
  const calls = definition.list.actions.flatMap((action) => {
    if (action.calls?.many === undefined) return [];
    const fits = records.filter((record) =>
      rowActions(definition, record, actor, evaluationContext).some(({ name }) => name === action.name),
    );
    return fits.length === 0 ? [] : [{ action, run: () => call(action, fits, () => onSelect(noneSelected)) }];
  });
  const wholePage = selected.size >= perPage && selected.size < total && total <= maxSelection;

  const selectAll = async () => {
    setBusy(true);
    try {
      const { data } = await dataProvider.getList<RaRecord>(definition.name, {
        pagination: { page: 1, perPage: maxSelection },
        sort: { ...state.sort },
        filter: filterWithFixed(state, fixed),
      });
      onSelect(new Map(data.map((record) => [Number(record.id), record])));
    } catch (error) {
      reportError(error as Error);
    } finally {
      setBusy(false);
    }
  };
  const fieldsLabel = rights.fields.length === 1 ? `Set ${rights.fields[0]!.label.toLowerCase()}` : 'Edit';
  const chosen = [
    ...(rights.fields.length > 0 ? [{ id: 'edit', label: fieldsLabel, icon: 'pencil', change: 'edit' as const }] : []),
    ...requests.map((request) => ({ id: request.name, label: request.label, icon: request.icon, change: request })),
    ...(rights.delete ? [{ id: 'delete', label: 'Delete', icon: 'trash', change: 'delete' as const }] : []),
  ];
  useCommands(() => {
    return [
      ...chosen.map(({ change, ...command }) => ({
        ...command,
        id: `selected ${command.id}`,
        about: count,
        run: () => setChange(change),
      })),
      ...calls.map(({ action: { name, label, icon }, run }) => ({
        id: `selected ${name}`,
        label,
        icon,
        about: count,
        run,
      })),
      {
        id: 'clear selection',
        label: 'Clear selection',
        icon: 'close',
        about: count,
        run: () => onSelect(noneSelected),
      },
    ];
  });
  return (
    <>
      <div className={styles.selectionBar} role="region" aria-label="Selection">
        <b className="num" role="status">
          {count}
        </b>
        <span className={styles.selectionLine} />
        {wholePage && (
          <Button variant="text" color="info" disabled={busy} onClick={() => void selectAll()}>
            Select all {formatNumber(total)}
          </Button>
        )}
        {chosen.map(({ id, label, icon, change }) => (
          <Button key={id} variant="text" startIcon={<Icon name={icon} />} onClick={() => setChange(change)}>
            {label}
          </Button>
        ))}
        {calls.map(({ action: { name, label, icon }, run }) => (
          <Button key={name} variant="text" startIcon={<Icon name={icon} />} disabled={isBusy} onClick={run}>
            {label}
          </Button>
        ))}
        <span className={styles.selectionLine} />
        <IconButton size="small" aria-label="Clear selection" onClick={() => onSelect(noneSelected)}>
          <Icon name="close" />
        </IconButton>
      </div>
      {change && (
        <BulkDialog
          {...{ definition, change }}
          fields={rights.fields}
          records={records}
          onClose={() => setChange(null)}
          onDone={(failed) => onSelect(new Map(failed.map((record) => [Number(record.id), record])))}
        />
      )}
    </>
  );
}
