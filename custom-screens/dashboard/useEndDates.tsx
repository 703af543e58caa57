import { useQueryClient } from '@tanstack/react-query';
import { useDataProvider, useNotify } from 'react-admin';
import { formatDate } from '../../src/engine/formats/dates';
import { recordsAllowedInBulk } from '../../src/engine/lists/bulk';
import { firstOf } from '../../src/engine/values/lookups';
import { fieldOf } from '../../src/engine/definitions/accessors';
import { useDefinitions } from '../../src/app/data/DefinitionsContext';
import { reportError } from '../../src/app/data/ErrorToasts';
import { useEvaluationContext } from '../../src/app/data/useEvaluationContext';
import { refreshAfterSaving } from '../../src/app/data/refreshAfterSaving';
import { useChangeToast } from '../../src/app/commands/useChangeToast';
import { runBulk } from '../../src/app/list/bulk/runBulk';
import { withFieldErrors } from '../../src/app/session/apiError';
import { figuresQuery } from '../../src/app/charts/useFigures';
import { offlineSaveMessage, sendWithRetry } from '../../src/app/session/connection';
import type { DueTask } from './figures';

const resource = 'tasks';

type MovableTask = Pick<DueTask, 'id' | 'name'> & { readonly updated_at?: unknown };

/** Which tasks' end dates the user may change, and a function that changes them and offers Undo. */
export function useEndDates() {
  const definition = useDefinitions().registry.getOrThrow(resource);
  const { actor } = useDefinitions();
  const evaluationContext = useEvaluationContext();
  const dataProvider = useDataProvider();
  const queryClient = useQueryClient();
  const notify = useNotify();
  const notifyChange = useChangeToast();
  const field = fieldOf(definition, 'end_date');

  /** The tasks whose end date the user may change, as far as the browser can tell. */
  const movable = <Task extends { readonly id: number }>(tasks: readonly Task[]): Task[] =>
    recordsAllowedInBulk(
      definition,
      actor,
      tasks as unknown as Task[],
      [field],
      evaluationContext,
    ) as unknown as Task[];

  const notifyOnce = () => {
    let isNotified = false;
    return () => {
      if (!isNotified) notify(offlineSaveMessage, { type: 'warning' });
      isNotified = true;
    };
  };

  /** The open tasks that end on a day, which are to be moved: without a connection it says so, and waits for one. */
  const tasksOf = (day: string): Promise<DueTask[]> => {
    const query = figuresQuery<DueTask[]>(`/dashboard/deadlines?date=${day}`, [resource]);
    return sendWithRetry(() => queryClient.fetchQuery(query), notifyOnce(), new AbortController().signal);
  };

  /**
   * Moves the end date of tasks from `oldDay` to `newDay`, notifies the user, and offers Undo. Returns why some of them were
   * refused; undefined if none was.
   */
  const move = async (
    tasks: readonly MovableTask[],
    oldDay: string,
    newDay: string,
    isUndo = false,
  ): Promise<string | undefined> => {
    const movedTasks: MovableTask[] = [];
    const save = async (task: MovableTask) => {
      try {
        // With updated_at, the server refuses an undo that would overwrite somebody else's later change.
        const data = { end_date: newDay, ...(task.updated_at !== undefined && { updated_at: task.updated_at }) };
        const answer = await dataProvider.update(resource, { id: task.id, data, previousData: { id: task.id } });
        movedTasks.push({ id: task.id, name: task.name, updated_at: (answer.data as MovableTask).updated_at });
      } catch (error) {
        throw withFieldErrors(error as Error);
      }
    };
    const listener = { onProgress: () => {}, onLost: notifyOnce() };
    const { failures } = await runBulk(
      [...tasks],
      (task) => save(task as MovableTask),
      listener,
      new AbortController().signal,
    );
    await refreshAfterSaving(queryClient, resource);
    const subject = movedTasks.length === 1 ? firstOf(movedTasks).name : `${movedTasks.length} tasks`;
    if (movedTasks.length > 0) {
      const words = `${subject} ${movedTasks.length === 1 ? 'ends' : 'end'} on ${formatDate(newDay)}${isUndo ? ' again' : ' now'}.`;
      notifyChange(words, isUndo ? undefined : () => void undo(movedTasks, newDay, oldDay));
    }
    const [first] = failures;
    if (!first) return undefined;
    const remainder = failures.length > 1 ? ` ${failures.length - 1} more could not be moved.` : '';
    return `${(first.record as unknown as MovableTask).name} still ends on ${formatDate(oldDay)}: ${first.message}${remainder}`;
  };
  const undo = async (tasks: readonly MovableTask[], oldDay: string, newDay: string) => {
    const refusal = await move(tasks, oldDay, newDay, true);
    if (refusal !== undefined) reportError(new Error(refusal));
  };
  return { field, movable, tasksOf, move };
}
