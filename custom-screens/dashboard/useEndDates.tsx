import { useQueryClient } from '@tanstack/react-query';
import { useDataProvider, useNotify } from 'react-admin';
import { formatDate } from '../../src/engine/formats/dates';
import { bulkAllowed } from '../../src/engine/lists/bulk';
import { useDefinitions } from '../../src/app/admin/DefinitionsContext';
import { reportError } from '../../src/app/admin/ErrorToasts';
import { useSurroundings } from '../../src/app/admin/useSurroundings';
import { refreshAfterSaving } from '../../src/app/form/refreshAfterSaving';
import { UndoButton } from '../../src/app/layout/UndoButton';
import { runBulk } from '../../src/app/list/bulk/runBulk';
import { ApiError } from '../../src/app/session/apiError';
import { savedWhenBack } from '../../src/app/session/connection';
import type { DueTask } from './figures';

const resource = 'tasks';
/** Long enough to read which tasks were moved, in milliseconds. */
const undoTime = 10_000;

type Movable = Pick<DueTask, 'id' | 'name'> & { readonly updated_at?: unknown };

/** Whose end date the reader may change, and the change itself, which can be taken back. */
export function useEndDates() {
  const definition = useDefinitions().registry.need(resource);
  const { actor } = useDefinitions();
  const surroundings = useSurroundings();
  const dataProvider = useDataProvider();
  const queryClient = useQueryClient();
  const notify = useNotify();
  const field = definition.fields.end_date!;

  /** Those of the tasks whose end date the reader may change, as far as can be known before they are asked for. */
  const movable = <Task extends { readonly id: number }>(tasks: readonly Task[]): Task[] =>
    bulkAllowed(definition, actor, tasks as unknown as Task[], field, surroundings) as unknown as Task[];

  /**
   * Lets tasks that end on `from` end on `to`, says so, and offers to undo it. Answers why some of them were refused;
   * undefined where none was.
   */
  const move = async (
    tasks: readonly Movable[],
    from: string,
    to: string,
    isUndo = false,
  ): Promise<string | undefined> => {
    const moved: Movable[] = [];
    const save = async (task: Movable) => {
      try {
        // The stamp guards an undo against taking back what somebody else has changed meanwhile.
        const data = { end_date: to, ...(task.updated_at !== undefined && { updated_at: task.updated_at }) };
        const answer = await dataProvider.update(resource, { id: task.id, data, previousData: { id: task.id } });
        moved.push({ id: task.id, name: task.name, updated_at: (answer.data as Movable).updated_at });
      } catch (error) {
        const [reason] = error instanceof ApiError ? Object.values(error.errors) : [];
        throw reason === undefined ? error : new Error(reason);
      }
    };
    let isTold = false;
    const onLost = () => {
      if (!isTold) notify(savedWhenBack, { type: 'warning' });
      isTold = true;
    };
    const listener = { onProgress: () => {}, onLost };
    const { failures } = await runBulk(
      [...tasks],
      (task) => save(task as Movable),
      listener,
      new AbortController().signal,
    );
    await refreshAfterSaving(queryClient, resource);
    const what = moved.length === 1 ? moved[0]!.name : `${moved.length} tasks`;
    if (moved.length > 0) {
      const words = `${what} ${moved.length === 1 ? 'ends' : 'end'} on ${formatDate(to)}${isUndo ? ' again' : ' now'}.`;
      const action = isUndo ? undefined : <UndoButton onUndo={() => void undo(moved, to, from)} />;
      notify(words, { type: 'success', messageArgs: { _: words }, autoHideDuration: undoTime, action });
    }
    const [first] = failures;
    if (!first) return undefined;
    const others = failures.length > 1 ? ` The same holds for ${failures.length - 1} more.` : '';
    return `${(first.record as unknown as Movable).name} still ends on ${formatDate(from)}: ${first.message}${others}`;
  };
  const undo = async (tasks: readonly Movable[], from: string, to: string) => {
    const refused = await move(tasks, from, to, true);
    if (refused !== undefined) reportError(new Error(refused));
  };
  return { field, movable, move };
}
