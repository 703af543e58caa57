import { useQueryClient } from '@tanstack/react-query';
import { useNotify } from 'react-admin';
import { useEffect, useRef, useState } from 'react';
import type { Definition, Kanban, ResourceRecord } from '../../../engine/definitions/definition';
import { moveRequestBody } from '../../../engine/lists/kanban';
import { recordTitle } from '../../../engine/lists/row-actions';
import { reportError } from '../../admin/ErrorToasts';
import { refreshAfterSaving } from '../../form/refreshAfterSaving';
import { sendRequest } from '../../requests/sendRequest';
import { ApiError } from '../../session/api';
import { useApi } from '../../session/apiClient';
import { sendWithRetry, retryNow } from '../../session/connection';
import type { BoardChoice } from './useBoardColumns';

/** A move of a record to another column. */
export interface Move {
  readonly record: ResourceRecord;
  readonly from: BoardChoice;
  readonly to: BoardChoice;
  /** The index in the column where it was dropped. */
  readonly index: number;
}

/**
 * Moves records between columns. A move shows at once, asks for the input its request needs, and stays until the lists
 * have been refetched; if it is cancelled or rejected it is reverted, with a message.
 */
export function useMoves(definition: Definition, kanban: Kanban) {
  const queryClient = useQueryClient();
  const notify = useNotify();
  const ask = useApi();
  const [moves, setMoves] = useState<readonly Move[]>([]);
  const [asked, setAsked] = useState<Move | null>(null);
  const [busy, setBusy] = useState(false);
  const [waiting, setWaiting] = useState(false);
  const end = useRef<AbortController>(null);
  useEffect(() => () => end.current?.abort(), []);
  const [error, setError] = useState<string>();
  const request = definition.requests[kanban.request]!;
  const drop = (move: Move) => setMoves((all) => all.filter((one) => one !== move));

  const start = (move: Move) => {
    setMoves((all) => [...all.filter(({ record }) => record.id !== move.record.id), move]);
    setError(undefined);
    setAsked(move);
  };
  const cancel = () => {
    if (!asked || (busy && !waiting)) return;
    end.current?.abort();
    drop(asked);
    setAsked(null);
    const title = recordTitle(definition, asked.record);
    // A request sent before the connection broke may have arrived.
    const words = waiting
      ? `Not sent again. The board shows whether ${title} was moved once you are online again.`
      : `Not moved: ${title} stays in ${asked.from.title}.`;
    notify(words, { type: 'info', messageArgs: { _: words } });
  };
  const confirm = async (text: string) => {
    if (busy) return retryNow();
    if (!asked) return;
    const { signal } = (end.current = new AbortController());
    setBusy(true);
    try {
      const body = moveRequestBody(kanban, asked.to.id, text);
      await sendWithRetry(
        () => sendRequest(definition, request, asked.record, body, ask),
        () => {
          setWaiting(true);
          setError('No connection. Your move is kept; saving again when it is back.');
        },
        signal,
      );
    } catch (problem) {
      if (signal.aborted) return void refreshAfterSaving(queryClient, definition.name);
      const wrong = problem instanceof ApiError ? problem.errors : {};
      if (wrong[kanban.field] && Object.keys(wrong).length === 1) return setError(wrong[kanban.field]);
      drop(asked);
      setAsked(null);
      // Another user moved it in the meantime: the board shows where it is.
      if (problem instanceof ApiError && problem.status === 409) void refreshAfterSaving(queryClient, definition.name);
      return reportError(withFieldErrors(problem as Error));
    } finally {
      setWaiting(false);
      setBusy(false);
    }
    setAsked(null);
    notify(request.toast, { type: 'success', messageArgs: { _: request.toast } });
    const { adds } = request;
    if (adds) void refreshAfterSaving(queryClient, adds.resource);
    await refreshAfterSaving(queryClient, definition.name);
    drop(asked);
  };
  return { moves, asked, busy: busy && !waiting, error, start, cancel, confirm };
}

/** An error with its field messages, because there is no form to show them in. */
function withFieldErrors(problem: Error): Error {
  const wrong = problem instanceof ApiError ? Object.values(problem.errors) : [];
  return wrong.length > 0 && problem instanceof ApiError ? new ApiError(problem.status, wrong.join(' ')) : problem;
}
