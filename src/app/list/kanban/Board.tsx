import { DragDropContext, type DropResult } from '@hello-pangea/dnd';
import { RecordContextProvider } from 'react-admin';
import { useEffect, useMemo, useState } from 'react';
import { grantedFields } from '../../../engine/access/access-decision';
import { joinNames } from '../../../engine/formats/join-names';
import type { Field, Kanban, ResourceRecord, RowAction } from '../../../engine/definitions/definition';
import { checkMove } from '../../../engine/lists/kanban';
import { recordTitle } from '../../../engine/lists/row-actions';
import { useDefinitions } from '../../admin/DefinitionsContext';
import { useEvaluationContext } from '../../admin/useEvaluationContext';
import { useOpenDialog } from '../../dialogs/openDialog';
import { localToday } from '../../fields/localTime';
import { FailedState } from '../../states/FailedState';
import { useResourceList } from '../ResourceList';
import { ActionsContext, useActionBlocker, useRunAction } from '../useActions';
import { useMayAdd } from '../useMayAdd';
import { BoardCard } from './BoardCard';
import { BoardColumn } from './BoardColumn';
import { BoardSkeleton } from './BoardSkeleton';
import { ColumnTabs } from './ColumnTabs';
import { moveDeniedReason } from './moveDeniedReason';
import { MoveDialog } from './MoveDialog';
import { withMoves, type ShownColumn } from './withMoves';
import { boardTarget, useBoardColumns, type BoardChoice } from './useBoardColumns';
import { useColumnRecords } from './useColumnRecords';
import { useColumnSums } from './useColumnSums';
import { useMoves, type MoveInput } from './useMoves';
import { useColumnInView } from './useColumnInView';
import { useCardCommands } from '../cards/useCardCommands';
import { lazyComponent } from '../../states/lazyComponent';
import * as styles from './kanban.module.css';

const MovePalette = lazyComponent(() => import('./MovePalette').then((part) => ({ default: part.MovePalette })));

const instructions =
  'Press space to pick this card up, the arrow keys to move it to another column, space again to put it down there, and escape to put it back.';
const moveActionPrefix = 'move-to-';
const none: readonly never[] = [];

/** The records of a list as cards in columns, movable between columns. */
export default function Board({ kanban }: { kanban: Kanban }) {
  const { definition, state, isPhone, fixed, embedded } = useResourceList();
  const { registry, actor } = useDefinitions();
  const evaluationContext = useEvaluationContext(definition);
  const openDialog = useOpenDialog();
  const runOther = useRunAction();
  const hindranceOf = useActionBlocker();
  const mayAdd = useMayAdd(definition) && grantedFields(actor, definition, 'create').has(kanban.column);
  const [today] = useState(localToday);
  const field = definition.fields[kanban.column]!;
  const target = boardTarget(registry, definition, kanban);
  const request = kanban.request === undefined ? undefined : definition.requests[kanban.request];
  const { choices = none, ...asked } = useBoardColumns(definition, kanban, state.filters);
  const { loaded, more, retry } = useColumnRecords({
    resource: definition.name,
    field: field.name,
    columns: choices,
    state,
    fixed,
  });
  /** Where forms ask for a value, the column of records without one is there only for those that exist. */
  const isShown = ({ choice, total = 0 }: ShownColumn) => choice.id !== null || !field.requiredInForm || total > 0;
  const sums = useColumnSums(definition, kanban, state, fixed);
  const moves = useMoves(definition, kanban);
  const { question } = moves;
  const [placed, setPlaced] = useState<{ readonly id: string }>();
  // The board does not change while a card is dragged.
  const [still, setStill] = useState<ShownColumn[] | null>(null);
  const [dragged, setDragged] = useState<ResourceRecord>();
  const columns = still ?? withMoves(choices, loaded, moves.moves, kanban).filter(isShown);
  const { frame, current, choose } = useColumnInView(columns.length);

  const findRecord = (id: string) =>
    columns.flatMap(({ records = none }) => records).find((record) => String(record.id) === id);
  const checkOf = (record: ResourceRecord, to: BoardChoice) =>
    checkMove(definition, kanban, record, to, actor, evaluationContext);
  /** What the request of a move asks for, and what the transition needs. */
  const asksOf = (needs: readonly Field[]): MoveInput[] => {
    const added = request?.adds ? registry.get(request.adds.resource)?.fields : undefined;
    const own = kanban.field === undefined ? undefined : (added?.[kanban.field] ?? definition.fields[kanban.field]);
    return [
      ...(own ? [{ field: own, required: request?.required.includes(own.name) ?? false }] : []),
      ...(request ? [] : needs.map((one) => ({ field: one, required: true }))),
    ];
  };
  const move = (record: ResourceRecord, from: string, to: string, index: number) => {
    const at = (id: string) => choices.find((choice) => String(choice.id) === id)!;
    if (from === to) return;
    const { refusal, needs } = checkOf(record, at(to));
    if (refusal !== undefined) return;
    const asks = asksOf(needs);
    moves.start({ record, from: at(from), to: at(to), index, asks });
    if (asks.length === 0) setPlaced({ id: String(record.id) });
  };
  const onDragEnd = ({ draggableId, source, destination }: DropResult) => {
    setStill(null);
    setDragged(undefined);
    const record = findRecord(draggableId);
    if (record && destination) move(record, source.droppableId, destination.droppableId, destination.index);
  };
  const columnOf = ({ id }: ResourceRecord) =>
    columns.find(({ records = none }) => records.some((record) => record.id === id));
  const run = (action: RowAction, record: ResourceRecord) => {
    if (!action.name.startsWith(moveActionPrefix)) return runOther(action, record);
    const from = columnOf(record);
    if (from) move(record, String(from.choice.id), action.name.slice(moveActionPrefix.length), 0);
  };
  const ways = useMemo(
    () =>
      choices.map(({ id, title, state }) => ({
        to: { id, ...(state !== undefined && { state }) },
        action: { name: `${moveActionPrefix}${id}`, label: `Move to ${title}`, icon: 'arrow-right' } as RowAction,
      })),
    [choices],
  );
  const moving = useMemo(
    () => new Map(choices.map(({ id }) => [id, ways.filter(({ to }) => to.id !== id)])),
    [choices, ways],
  );
  const [picked, setPicked] = useState<ResourceRecord>();
  const shownRecords = columns.flatMap(({ records = none }) => records);
  useCardCommands({ frame, definition, records: shownRecords, onMove: setPicked, enabled: !embedded });
  /** The columns to which a record can be moved. */
  const waysOf = (record: ResourceRecord) => {
    const from = columnOf(record);
    if (!from || moveDeniedReason(definition, kanban, record, actor, evaluationContext) !== undefined) return [];
    return choices
      .filter((to) => to.id !== from.choice.id && checkOf(record, to).refusal === undefined)
      .map(({ id, title }) => ({
        id: String(id),
        label: title,
        run: () => move(record, String(from.choice.id), String(id), 0),
      }));
  };
  const add = ({ id, title }: BoardChoice) => {
    const embed = id !== null && target && field.embed ? { [field.embed]: { id, [target.titleField]: title } } : {};
    const preset = { [field.name]: id, ...embed };
    openDialog({ kind: 'form', definition, mode: 'create', preset, width: definition.form.dialog?.width ?? '80%' });
  };

  // Where the value of new records is fixed, only its column gets them.
  const mayAddTo = ({ id, state }: BoardChoice) =>
    mayAdd && (field.initial === undefined || field.initial === (state ?? id));
  const refusalOf = (record: ResourceRecord, to: BoardChoice) =>
    columnOf(record)?.choice.id === to.id ? undefined : checkOf(record, to).refusal;
  const describePickedUp = (record: ResourceRecord) => {
    const title = `Picked up ${recordTitle(definition, record)}.`;
    if (!field.transitions) return title;
    const open = choices.filter(
      (to) => columnOf(record)?.choice.id !== to.id && checkOf(record, to).refusal === undefined,
    );
    return `${title} ${
      open.length === 0
        ? 'It cannot be moved to another column.'
        : `It can be moved to ${joinNames(
            open.map(({ title: name }) => name),
            'or',
          )}.`
    }`;
  };

  // After a move, or after its question, the focus returns to its card.
  const focusCard = (id: string) =>
    frame.current?.querySelector<HTMLElement>(`[data-rfd-draggable-id="${id}"]`)?.focus({ preventScroll: true });
  useEffect(() => {
    if (placed) focusCard(placed.id);
    // oxlint-disable-next-line react/exhaustive-deps -- once for each move
  }, [placed]);
  const askedFor = question && String(question.record.id);
  useEffect(() => {
    if (askedFor !== undefined) return () => focusCard(askedFor);
    // oxlint-disable-next-line react/exhaustive-deps -- once for each question
  }, [askedFor]);

  const failed = asked.error ?? columns.find(({ error }) => error)?.error;
  if (failed)
    return (
      <FailedState
        title={`${definition.labels.many} could not be loaded`}
        message={failed.message}
        onRetry={asked.error ? asked.retry : retry}
      />
    );
  if (choices.length === 0)
    return <BoardSkeleton {...{ kanban, target, isPhone }} chosen={state.filters[kanban.column]} />;
  const why = reasonNothingMoves(columns, (record) =>
    moveDeniedReason(definition, kanban, record, actor, evaluationContext),
  );
  return (
    <ActionsContext value={{ run, blocker: hindranceOf }}>
      {isPhone && <ColumnTabs {...{ columns, target, current }} onChoose={choose} />}
      {why && (
        <p className={styles.boardWhy} role="note">
          You cannot move these {definition.labels.many.toLowerCase()}: {why}
        </p>
      )}
      <DragDropContext
        dragHandleUsageInstructions={instructions}
        onBeforeDragStart={({ draggableId }) => {
          setStill(columns);
          setDragged(findRecord(draggableId));
        }}
        onDragStart={({ draggableId }, { announce }) => {
          const record = findRecord(draggableId);
          if (record) announce(describePickedUp(record));
        }}
        onDragUpdate={({ destination }, { announce }) => {
          const over = choices.find(({ id }) => String(id) === destination?.droppableId);
          announce(over ? `Over ${over.title}.` : 'Over no column.');
        }}
        onDragEnd={onDragEnd}
      >
        <div
          className={styles.board}
          ref={frame}
          style={{ ['--columns' as string]: columns.length }}
          data-moving={still !== null || undefined}
        >
          {columns.map((column) => (
            <BoardColumn
              key={String(column.choice.id)}
              {...{ column, definition, kanban, target, still: still !== null }}
              sum={sums.get(String(column.choice.id))}
              refusal={dragged && refusalOf(dragged, column.choice)}
              onAdd={mayAddTo(column.choice) ? () => add(column.choice) : undefined}
              onMore={() => more(column.choice.id)}
            >
              {column.records?.map((record, index) => (
                <RecordContextProvider key={String(record.id)} value={record}>
                  <BoardCard
                    {...{ definition, kanban, record, index, today, explained: why !== undefined }}
                    moving={moving.get(column.choice.id) ?? none}
                  />
                </RecordContextProvider>
              ))}
            </BoardColumn>
          ))}
        </div>
      </DragDropContext>
      {picked && (
        <MovePalette
          title={recordTitle(definition, picked)}
          ways={waysOf(picked)}
          onClose={() => setPicked(undefined)}
        />
      )}
      {question && (
        <MoveDialog
          key={String(question.record.id)}
          {...{ definition, move: question }}
          onConfirm={moves.confirm}
          onCancel={moves.cancel}
        />
      )}
    </ActionsContext>
  );
}

/** Why no card can be moved, if that applies to all. */
function reasonNothingMoves(
  columns: readonly ShownColumn[],
  whyNot: (record: ResourceRecord) => string | undefined,
): string | undefined {
  const all = columns.flatMap(({ records = none }) => records);
  const first = all[0] && whyNot(all[0]);
  return first !== undefined && all.every((record) => whyNot(record) !== undefined) ? first : undefined;
}
