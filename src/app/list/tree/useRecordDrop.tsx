import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, type RefObject } from 'react';
import { useDataProvider, type GetListResult, type RaRecord } from 'react-admin';
import type { Definition, ResourceRecord } from '../../../engine/definitions/definition';
import { recordsAllowedInBulk } from '../../../engine/lists/bulk';
import { recordTitle } from '../../../engine/lists/row-actions';
import { branchValues, type TreeNode } from '../../../engine/lists/tree';
import { formatNumber } from '../../../engine/formats/numbers';
import { fieldOf } from '../../../engine/definitions/accessors';
import { firstOf } from '../../../engine/values/lookups';
import { useDefinitions } from '../../data/DefinitionsContext';
import { useEvaluationContext } from '../../data/useEvaluationContext';
import { reportError } from '../../data/ErrorToasts';
import { useChangeToast } from '../../commands/useChangeToast';
import { refreshAfterSaving } from '../../data/refreshAfterSaving';
import { withFieldErrors } from '../../session/apiError';
import { runBulk } from '../bulk/runBulk';

/** Records of the list that are dragged by their titles onto a branch of the tree. */
export interface RecordDrop {
  /** The records that are being dragged and may be moved; none: something else is dragged, or nothing. */
  readonly draggedRecords: RefObject<readonly RaRecord[]>;
  /** Moves them into a branch; null: into none. */
  readonly drop: (node: TreeNode | null) => Promise<void>;
}

const silent = { onProgress: () => {}, onLost: () => {} };

/**
 * Lets the titles of a list's rows be dragged onto its tree: the row that is dragged, or with a selected row all selected
 * rows that are shown. The move can be taken back.
 */
export function useRecordDrop(definition: Definition, nodes: readonly TreeNode[]): RecordDrop {
  const { actor } = useDefinitions();
  const evaluationContext = useEvaluationContext(definition);
  const dataProvider = useDataProvider();
  const queryClient = useQueryClient();
  const say = useChangeToast();
  const draggedRecords = useRef<readonly RaRecord[]>([]);
  const { name, labels } = definition;
  const fields = (definition.list.tree ?? []).map((fieldName) => fieldOf(definition, fieldName));

  const begin = useEffectEvent(({ target }: DragEvent) => {
    const title = target instanceof Element ? target.closest('a') : null;
    const row = title?.closest<HTMLElement>('[role=row][data-id]');
    if (!row) return;
    const rows = row.getAttribute('aria-selected') === 'true' ? selectedRows(row) : [row];
    const ids = new Set(rows.map(({ dataset }) => dataset.id));
    const pages = queryClient.getQueriesData<GetListResult<RaRecord>>({ queryKey: [name, 'getList'] });
    const listedRecords = new Map(
      pages.flatMap(([, page]) => page?.data ?? []).map((record) => [String(record.id), record]),
    );
    const records = [...listedRecords.values()].filter(({ id }) => ids.has(String(id)));
    draggedRecords.current = recordsAllowedInBulk(definition, actor, records, fields, evaluationContext) as RaRecord[];
  });
  useEffect(() => {
    const onStart = (event: DragEvent) => begin(event);
    const onEnd = () => (draggedRecords.current = []);
    document.addEventListener('dragstart', onStart);
    document.addEventListener('dragend', onEnd);
    return () => {
      document.removeEventListener('dragstart', onStart);
      document.removeEventListener('dragend', onEnd);
    };
  }, []);

  /** Sets values of each record; returns the versions after it of those that took them. */
  const setValues = async (
    records: readonly RaRecord[],
    valuesOf: (record: RaRecord) => ResourceRecord,
  ): Promise<ReadonlyMap<RaRecord['id'], unknown>> => {
    const versions = new Map<RaRecord['id'], unknown>();
    const store = async (record: RaRecord) => {
      const update = { id: record.id, data: valuesOf(record), previousData: record };
      versions.set(record.id, (await dataProvider.update<RaRecord>(name, update)).data.updated_at);
    };
    const task = (record: RaRecord) => store(record).catch((error: Error) => Promise.reject(withFieldErrors(error)));
    const { failures } = await runBulk(records, task, silent, new AbortController().signal);
    await refreshAfterSaving(queryClient, name);
    const [first] = failures;
    if (first) reportError(new Error(`${recordTitle(definition, first.record)} was not moved: ${first.message}`));
    return versions;
  };

  const drop: RecordDrop['drop'] = async (node) => {
    const names = fields.map((field) => field.name);
    const values = branchValues(names, nodes, node?.id ?? null);
    const records = draggedRecords.current.filter((record) =>
      names.some((fieldName) => (record[fieldName] ?? null) !== values[fieldName]),
    );
    draggedRecords.current = [];
    if (records.length === 0) return;
    const versions = await setValues(records, () => values);
    const movedRecords = records.filter(({ id }) => versions.has(id));
    if (movedRecords.length === 0) return;
    const subject =
      movedRecords.length === 1
        ? recordTitle(definition, firstOf(movedRecords))
        : `${formatNumber(movedRecords.length)} ${labels.many.toLowerCase()}`;
    const words = node ? `${subject} moved to ${node.title}` : `${subject} moved out of all branches`;
    // The version makes the server refuse to overwrite a later change.
    const previousValuesOf = (record: RaRecord): ResourceRecord => ({
      ...Object.fromEntries(names.map((fieldName) => [fieldName, record[fieldName] ?? null])),
      updated_at: versions.get(record.id),
    });
    say(words, () => {
      void setValues(movedRecords, previousValuesOf).then((back) => back.size > 0 && say(`Taken back: ${words}`));
    });
  };
  return { draggedRecords, drop };
}

const selectedRows = (row: HTMLElement): HTMLElement[] => [
  ...(row.closest('[role=grid]')?.querySelectorAll<HTMLElement>('[role=row][data-id][aria-selected=true]') ?? []),
];
