import { useQueryClient } from '@tanstack/react-query';
import { useNotify } from 'react-admin';
import { startTransition, useEffect, useRef, useState } from 'react';
import type { Definition, Field, Kanban, ResourceRecord } from '../../../engine/definitions/definition';
import { moveRequestBody } from '../../../engine/lists/kanban';
import { recordTitle } from '../../../engine/lists/row-actions';
import { canLeadBack } from '../../../engine/validation/transitions';
import { reportError } from '../../admin/ErrorToasts';
import { useChangeToast } from '../../commands/useChangeToast';
import { refreshAfterSaving } from '../../form/refreshAfterSaving';
import { sendRequest } from '../../requests/sendRequest';
import { ApiError, fetchApi } from '../../session/api';
import { useApi } from '../../session/apiClient';
import { withFieldErrors } from '../../session/apiError';
import { sendWithRetry, retryNow } from '../../session/connection';
import type { BoardChoice } from './useBoardColumns';

/** A move of a record to another column. */
export interface Move {
  readonly record: ResourceRecord;
  readonly from: BoardChoice;
  readonly to: BoardChoice;
  /** The index in the column where it was dropped. */
  readonly index: number;
  /** What the move asks for. */
  readonly asks: readonly MoveInput[];
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

/**
 * Moves records between columns. A move shows at once, asks for the input that it needs, and stays until the lists
 * have been refetched; if it is cancelled or rejected it is reverted, with a message.
 */
export function useMoves(definition: Definition, kanban: Kanban) {
  const queryClient = useQueryClient();
  const notify = useNotify();
  const sayChanged = useChangeToast();
  const ask = useApi();
  const [moves, setMoves] = useState<readonly Move[]>([]);
  const [asked, setAsked] = useState<Move | null>(null);
  const [busy, setBusy] = useState(false);
  const [waiting, setWaiting] = useState(false);
  const end = useRef<AbortController>(null);
  useEffect(() => () => end.current?.abort(), []);
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [failure, setFailure] = useState<string>();
  const request = kanban.request === undefined ? undefined : definition.requests[kanban.request];
  const drop = (move: Move) => setMoves((all) => all.filter((one) => one !== move));

  const start = (move: Move) => {
    setMoves((all) => [...all.filter(({ record }) => record.id !== move.record.id), move]);
    setErrors({});
    // The card is painted in its new column before the question is rendered.
    startTransition(() => setAsked(move));
    if (move.asks.length === 0) void save(move, {});
  };
  const cancel = () => {
    if (!asked || (busy && !waiting)) return;
    end.current?.abort();
    giveUp(asked, waiting);
  };
  const giveUp = (move: Move, wasWaiting: boolean) => {
    drop(move);
    setAsked(null);
    const title = recordTitle(definition, move.record);
    // A request sent before the connection broke may have arrived.
    const words = wasWaiting
      ? `Not sent again. The board shows whether ${title} was moved once you are online again.`
      : `Not moved: ${title} stays in ${move.from.title}.`;
    notify(words, { type: 'info', messageArgs: { _: words } });
  };
  const confirm = (entered: ResourceRecord) => {
    if (busy) return retryNow();
    if (asked) void save(asked, entered);
  };
  const put = (record: ResourceRecord, body: ResourceRecord) =>
    fetchApi<StoredVersion>(`/${definition.name}/${String(record.id)}`, { method: 'PUT', json: body }, ask);
  /** Takes back a move that only changed the column, unless somebody changed the record since. */
  const moveBack = async ({ record, from }: Move, updated_at: unknown) => {
    try {
      await put(record, { ...moveRequestBody(kanban, from.id, {}), updated_at });
      sayChanged(`${recordTitle(definition, record)} is in ${from.title} again`);
    } catch (problem) {
      reportError(withFieldErrors(problem as Error));
    }
    await refreshAfterSaving(queryClient, definition.name);
  };
  const save = async (move: Move, entered: ResourceRecord) => {
    let version: unknown;
    const ending = (end.current = new AbortController());
    const { signal } = ending;
    const discard = () => {
      ending.abort();
      giveUp(move, true);
    };
    const title = recordTitle(definition, move.record);
    setBusy(true);
    try {
      const body = moveRequestBody(kanban, move.to.id, entered);
      const send = () =>
        request
          ? sendRequest(definition, request, move.record, body, ask)
          : put(move.record, body).then((answer) => {
              version = answer.data?.updated_at ?? answer.updated_at;
            });
      await sendWithRetry<unknown>(
        send,
        () => {
          setWaiting(true);
          setFailure('No connection. Your move is kept; saving again when it is back.');
        },
        signal,
        { label: `${title} to ${move.to.title}`, discard },
      );
    } catch (problem) {
      if (signal.aborted) return void refreshAfterSaving(queryClient, definition.name);
      const wrong = problem instanceof ApiError ? problem.errors : {};
      const names = Object.keys(wrong);
      const isAsked = (name: string) => move.asks.some(({ field }) => field.name === name);
      if (names.length > 0 && names.every(isAsked)) return setErrors(wrong);
      // What the record lacks in its new column is asked for.
      const lacking = names.flatMap((name) => definition.fields[name] ?? []);
      if (!request && names.length > 0 && !names.includes(kanban.column) && lacking.length === names.length) {
        const asking = { ...move, asks: lacking.map((field) => ({ field, required: true })) };
        setMoves((all) => all.map((one) => (one === move ? asking : one)));
        setErrors(wrong);
        return setAsked(asking);
      }
      drop(move);
      setAsked(null);
      // Another user moved it in the meantime: the board shows where it is.
      if (problem instanceof ApiError && problem.status === 409) void refreshAfterSaving(queryClient, definition.name);
      return reportError(withFieldErrors(problem as Error));
    } finally {
      setWaiting(false);
      setFailure(undefined);
      setBusy(false);
    }
    setAsked(null);
    const toast = request?.toast ?? definition.toasts.updated;
    const column = definition.fields[kanban.column];
    const canTakeBack =
      version !== undefined &&
      Object.keys(entered).length === 0 &&
      (!column || canLeadBack(column, { from: stateOfColumn(move.from), to: stateOfColumn(move.to) }));
    if (canTakeBack) sayChanged(toast, () => void moveBack(move, version), `${title} moved to ${move.to.title}`);
    else sayChanged(toast);
    if (request?.adds) void refreshAfterSaving(queryClient, request.adds.resource);
    await refreshAfterSaving(queryClient, definition.name);
    drop(move);
  };
  return { moves, asked, busy: busy && !waiting, errors, failure, start, cancel, confirm };
}

const stateOfColumn = ({ id, state }: BoardChoice) => state ?? id;
