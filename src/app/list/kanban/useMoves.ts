import { useQueryClient } from '@tanstack/react-query';
import { useNotify } from 'react-admin';
import { useState } from 'react';
import type { Definition, Kanban, ResourceRecord } from '../../../engine/definitions/definition';
import { moveBody } from '../../../engine/lists/kanban';
import { recordTitle } from '../../../engine/lists/row-actions';
import { reportError } from '../../admin/ErrorToasts';
import { refreshAfterSaving } from '../../form/refreshAfterSaving';
import { sendRequest } from '../../requests/sendRequest';
import { ApiError } from '../../session/api';
import { useAsk } from '../../session/ask';
import type { BoardChoice } from './useBoardColumns';

/** A record on its way to another column. */
export interface Move {
  readonly record: ResourceRecord;
  readonly from: BoardChoice;
  readonly to: BoardChoice;
  /** Where in the column it was dropped. */
  readonly index: number;
}

/**
 * Moves of records between columns. One shows at once, asks for what its request wants, and counts until the lists have
 * been read anew; cancelled or refused, it is taken back, and a message says so.
 */
export function useMoves(definition: Definition, kanban: Kanban) {
  const queryClient = useQueryClient();
  const notify = useNotify();
  const ask = useAsk();
  const [moves, setMoves] = useState<readonly Move[]>([]);
  const [asked, setAsked] = useState<Move | null>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const request = definition.requests[kanban.request]!;
  const drop = (move: Move) => setMoves((all) => all.filter((one) => one !== move));

  const start = (move: Move) => {
    setMoves((all) => [...all.filter(({ record }) => record.id !== move.record.id), move]);
    setError(undefined);
    setAsked(move);
  };
  const cancel = () => {
    if (!asked || busy) return;
    drop(asked);
    setAsked(null);
    const words = `Not moved: ${recordTitle(definition, asked.record)} stays in ${asked.from.title}.`;
    notify(words, { type: 'info', messageArgs: { _: words } });
  };
  const confirm = async (text: string) => {
    if (!asked || busy) return;
    setBusy(true);
    try {
      await sendRequest(definition, request, asked.record, moveBody(kanban, asked.to.id, text), ask);
    } catch (problem) {
      const wrong = problem instanceof ApiError ? problem.errors : {};
      if (wrong[kanban.field] && Object.keys(wrong).length === 1) return setError(wrong[kanban.field]);
      drop(asked);
      setAsked(null);
      // Somebody moved it meanwhile: the board shows where it is.
      if (problem instanceof ApiError && problem.status === 409) void refreshAfterSaving(queryClient, definition.name);
      return reportError(said(problem as Error));
    } finally {
      setBusy(false);
    }
    setAsked(null);
    notify(request.toast, { type: 'success', messageArgs: { _: request.toast } });
    const { adds } = request;
    if (adds) void refreshAfterSaving(queryClient, adds.resource);
    await refreshAfterSaving(queryClient, definition.name);
    drop(asked);
  };
  return { moves, asked, busy, error, start, cancel, confirm };
}

/** A refusal with what is wrong with which field, for there is no form to show it in. */
function said(problem: Error): Error {
  const wrong = problem instanceof ApiError ? Object.values(problem.errors) : [];
  return wrong.length > 0 && problem instanceof ApiError ? new ApiError(problem.status, wrong.join(' ')) : problem;
}
