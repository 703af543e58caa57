import { useQueryClient } from '@tanstack/react-query';
import { useNotify } from 'react-admin';
import { useEffect, useRef, useState } from 'react';
import type { Definition, Field, Kanban, ResourceRecord } from '../../../engine/definitions/definition';
import { formatNumber } from '../../../engine/formats/numbers';
import { moveRequestBody } from '../../../engine/lists/kanban';
import type { SortOrder } from '../../../engine/lists/list-state';
import { recordTitle } from '../../../engine/lists/row-actions';
import { canLeadBack } from '../../../engine/validation/transitions';
import { reportError } from '../../data/ErrorToasts';
import { useChangeToast } from '../../commands/useChangeToast';
import { refreshAfterSaving } from '../../data/refreshAfterSaving';
import { sendRequest } from '../../actions/sendRequest';
import { ApiError, fetchApi } from '../../session/api';
import { useApi } from '../../session/apiClient';
import { withFieldErrors } from '../../session/apiError';
import { sendWithRetry, retryNow } from '../../session/connection';
import type { BoardChoice } from './useBoardColumns';
import { sortText } from './useColumnRecords';

/** A move of a record to another column, or within its own. */
export interface Move {
  readonly record: ResourceRecord;
  readonly from: BoardChoice;
  readonly to: BoardChoice;
  /** The index in the column where it was dropped. */
  readonly index: number;
  /** The records that it comes after and came after, 0: none; undefined: it is put nowhere by hand. */
  readonly neighbour?: { readonly current: number; readonly previous: number };
  /** The values that the move asks for. */
  readonly inputs: readonly MoveInput[];
}

/** A move on its way: all that is known of it, so that no other move can change it. */
export interface PendingMove extends Move {
  /** `asking` for input or about to be sent, `saving`, or `waiting` for a connection. */
  readonly phase: 'asking' | 'saving' | 'waiting';
  /** The server's errors by field. */
  readonly errors: Readonly<Record<string, string>>;
  /** Any other error. */
  readonly failure?: string;
}

/** A field that a move asks for. */
export interface MoveInput {
  readonly field: Field;
  readonly required: boolean;
}

/** A stored record, with or without an envelope. */
interface StoredVersion {
  readonly updated_at?: unknown;
  readonly data?: { readonly updated_at?: unknown };
}

const isWithinColumn = ({ from: source, to: destination }: Move) => source.id === destination.id;

/**
 * Moves records between columns, and within them where the board is put in order by hand. `sort` is the order of records
 * without a place. A move shows at once, asks for the input that it needs, and stays until the lists
 * have been refetched; if it is cancelled or rejected it is reverted, with a message. Several moves may be on their way:
 * their questions are asked one after another, and those of one record, or after it, are sent in their order.
 */
export function useMoves(definition: Definition, kanban: Kanban, sort: SortOrder) {
  const queryClient = useQueryClient();
  const notify = useNotify();
  const sayChanged = useChangeToast();
  const ask = useApi();
  const [moves, setMoves] = useState<readonly PendingMove[]>([]);
  const latest = useRef(moves);
  /** Ends the sending of a move, by the id of its record. */
  const endings = useRef(new Map<unknown, AbortController>());
  /** The last save of each record, which the next one waits for. */
  const saves = useRef(new Map<unknown, Promise<void>>());
  useEffect(() => () => endings.current.forEach((cancellation) => cancellation.abort()), []);
  const request = kanban.request === undefined ? undefined : definition.requests[kanban.request];

  const change = (next: readonly PendingMove[]) => {
    latest.current = next;
    setMoves(next);
  };
  const replace = (move: PendingMove, next?: PendingMove) =>
    change(latest.current.flatMap((candidate) => (candidate !== move ? candidate : (next ?? []))));
  /** A move with what is known of it now; undefined if it has ended, or the record was moved once more. */
  const currentOf = ({ record, to: destination }: Move) =>
    latest.current.find((candidate) => candidate.record.id === record.id && candidate.to === destination);
  const update = (move: Move, changes: Partial<PendingMove>) => {
    const current = currentOf(move);
    if (current) replace(current, { ...current, ...changes });
  };
  const drop = (move: Move) => {
    const current = currentOf(move);
    if (current) replace(current);
  };
  const question = moves.find((move) => move.inputs.length > 0);

  const start = (move: Move) => {
    const pending: PendingMove = { ...move, phase: 'asking', errors: {} };
    change([...latest.current.filter(({ record }) => record.id !== move.record.id), pending]);
    if (move.inputs.length === 0) send(pending, {});
  };
  const cancel = () => {
    if (question && question.phase !== 'saving') giveUp(question);
  };
  const giveUp = (move: PendingMove) => {
    endings.current.get(move.record.id)?.abort();
    drop(move);
    const title = recordTitle(definition, move.record);
    // A request sent before the connection broke may have arrived.
    const words =
      move.phase === 'waiting'
        ? `Not sent again. The board shows whether ${title} was moved once you are online again.`
        : `Not moved: ${title} stays in ${move.from.title}.`;
    notify(words, { type: 'info', messageArgs: { _: words } });
  };
  const confirm = (entered: ResourceRecord) => {
    if (!question) return;
    if (question.phase === 'asking') send(question, entered);
    else retryNow();
  };
  const send = (move: PendingMove, entered: ResourceRecord) => {
    const { id } = move.record;
    update(move, { phase: 'saving', errors: {} });
    // The record that it comes after may be on its way to the column itself.
    const previousSaves = [id, move.neighbour?.current].map((recordId) => saves.current.get(recordId));
    const saving = Promise.all(previousSaves)
      .then(() => save(move, entered))
      .finally(() => {
        if (saves.current.get(id) === saving) saves.current.delete(id);
      });
    saves.current.set(id, saving);
  };
  const put = (record: ResourceRecord, body: ResourceRecord, query: string) =>
    fetchApi<StoredVersion>(`/${definition.name}/${String(record.id)}${query}`, { method: 'PUT', json: body }, ask);
  const placeQuery = (neighbourId: number | undefined) =>
    neighbourId === undefined ? '' : `?after=${neighbourId}&sort_by=${sortText(sort)}`;
  /** Takes back a move that only changed the column and the place, unless somebody changed the record since. */
  const moveBack = async (move: Move, updated_at: unknown) => {
    const { record, from: source, neighbour } = move;
    try {
      const body = isWithinColumn(move) ? {} : moveRequestBody(kanban, source.id, {});
      await put(record, { ...body, updated_at }, placeQuery(neighbour?.previous));
      const placeText = isWithinColumn(move) ? 'where it was' : `in ${source.title}`;
      sayChanged(`${recordTitle(definition, record)} is ${placeText} again`);
    } catch (problem) {
      reportError(withFieldErrors(problem as Error));
    }
    await refreshAfterSaving(queryClient, definition.name);
  };
  const save = async (move: PendingMove, entered: ResourceRecord): Promise<void> => {
    let version: unknown;
    const cancellation = new AbortController();
    const { signal } = cancellation;
    endings.current.set(move.record.id, cancellation);
    const title = recordTitle(definition, move.record);
    try {
      const isWithin = isWithinColumn(move);
      const body = isWithin ? {} : moveRequestBody(kanban, move.to.id, entered);
      const query = placeQuery(move.neighbour?.current);
      const sendMove = () =>
        request && !isWithin
          ? sendRequest(definition, request, move.record, body, ask, query)
          : put(move.record, body, query).then((answer) => {
              version = answer.data?.updated_at ?? answer.updated_at;
            });
      await sendWithRetry<unknown>(
        sendMove,
        () =>
          update(move, {
            phase: 'waiting',
            failure: 'No connection. Your move is kept; saving again when it is back.',
          }),
        signal,
        { label: `${title} to ${move.to.title}`, discard: () => giveUp({ ...move, phase: 'waiting' }) },
      );
    } catch (problem) {
      if (signal.aborted) return void refreshAfterSaving(queryClient, definition.name);
      const current = currentOf(move);
      const fieldErrors = problem instanceof ApiError ? problem.errors : {};
      const names = Object.keys(fieldErrors);
      const isAsked = (name: string) => move.inputs.some(({ field }) => field.name === name);
      const askAgain = { phase: 'asking', errors: fieldErrors, failure: undefined } as const;
      if (current && names.length > 0 && names.every(isAsked)) return replace(current, { ...current, ...askAgain });
      // Values that the record lacks in its new column are asked for, after the questions that are asked already.
      const missingFields = names.flatMap((name) => definition.fields[name] ?? []);
      if (
        current &&
        !request &&
        names.length > 0 &&
        !names.includes(kanban.column) &&
        missingFields.length === names.length
      ) {
        const inputs = missingFields.map((field) => ({ field, required: true }));
        return change([
          ...latest.current.filter((candidate) => candidate !== current),
          { ...current, ...askAgain, inputs },
        ]);
      }
      drop(move);
      // Another user moved it in the meantime: the board shows where it is.
      if (problem instanceof ApiError && problem.status === 409) void refreshAfterSaving(queryClient, definition.name);
      return reportError(withFieldErrors(problem as Error));
    } finally {
      if (endings.current.get(move.record.id) === cancellation) endings.current.delete(move.record.id);
    }
    // The card stays where it is until the lists are there, without its question.
    update(move, { inputs: [], phase: 'saving', failure: undefined });
    const isWithin = isWithinColumn(move);
    const toast = isWithin
      ? `${title} is number ${formatNumber(move.index + 1)} in ${move.to.title}`
      : (request?.toast ?? definition.toasts.updated);
    const column = definition.fields[kanban.column];
    const canTakeBack =
      version !== undefined &&
      Object.keys(entered).length === 0 &&
      (isWithin || !column || canLeadBack(column, { from: stateOfColumn(move.from), to: stateOfColumn(move.to) }));
    const label = isWithin ? toast : `${title} moved to ${move.to.title}`;
    if (canTakeBack) sayChanged(toast, () => void moveBack(move, version), label);
    else sayChanged(toast);
    if (request?.adds && !isWithin) void refreshAfterSaving(queryClient, request.adds.resource);
    await refreshAfterSaving(queryClient, definition.name);
    drop(move);
  };
  return { moves, question, start, cancel, confirm };
}

const stateOfColumn = ({ id, state }: BoardChoice) => state ?? id;
