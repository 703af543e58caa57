import { DragDropContext, type DropResult } from '@hello-pangea/dnd';
import { ListContext, RecordContextProvider, type ListControllerResult, type RaRecord } from 'react-admin';
import { use, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { grantedFields } from '../../../engine/access/access-decision';
import { joinNames } from '../../../engine/formats/join-names';
import type { Field, Kanban, ResourceRecord, RowAction } from '../../../engine/definitions/definition';
import { canPlace, checkMove, type MoveCheck } from '../../../engine/lists/kanban';
import { recordTitle } from '../../../engine/lists/row-actions';
import { fieldOf, idOf } from '../../../engine/definitions/accessors';
import { requireValue } from '../../../engine/values/lookups';
import { useDefinitions } from '../../data/DefinitionsContext';
import { useEvaluationContext } from '../../data/useEvaluationContext';
import { useOpenDialog } from '../../dialogs/openDialog';
import { localToday } from '../../data/localTime';
import { FailedState } from '../../states/FailedState';
import { useResourceList } from '../ResourceList';
import { ActionsContext } from '../../actions/useActions';
import { useMayAdd } from '../../actions/useMayAdd';
import { BoardCard, moveDeniedReason } from './BoardCard';
import { BoardColumn } from './BoardColumn';
import { BoardSkeleton } from './BoardSkeleton';
import { ColumnTabs } from './ColumnTabs';
import { MoveDialog } from './MoveDialog';
import { withMoves, type ShownColumn } from './withMoves';
import { boardTarget, useBoardColumns, type BoardChoice } from './useBoardColumns';
import { useColumnRecords } from './useColumnRecords';
import { useColumnSums } from './useColumnSums';
import { useMoves, type MoveInput } from './useMoves';
import { useColumnInView } from './useColumnInView';
import { useSelection } from '../bulk/useSelection';
import { SelectableCards } from '../cards/SelectableCards';
import { useCardCommands } from '../cards/useCardCommands';
import { lazyComponent } from '../../states/lazyComponent';
import * as styles from './kanban.module.css';

const MovePalette = lazyComponent(() => import('./MovePalette').then((part) => ({ default: part.MovePalette })));

const instructions = (isOrdered: boolean) =>
  `Press space to pick this card up, the arrow keys to move it ${isOrdered ? 'within its column or ' : ''}to another column, space again to put it down there, and escape to put it back.`;
const moveActionPrefix = 'move-to-';
const noItems: readonly never[] = [];

/** The records of a list as cards in columns, movable between columns. */
export default function Board({ kanban }: { kanban: Kanban }) {
  const list = useResourceList();
  const { definition, state, isPhone, fixedValues: fixedFilter, embedded } = list;
  const { registry, actor } = useDefinitions();
  const evaluationContext = useEvaluationContext(definition);
  const openDialog = useOpenDialog();
  const { run: runOther, pathOf, blocker: hindranceOf } = use(ActionsContext);
  const mayAdd = useMayAdd(definition) && grantedFields(actor, definition, 'create').has(kanban.column);
  const [today] = useState(localToday);
  const field = fieldOf(definition, kanban.column);
  const target = boardTarget(registry, definition, kanban);
  const request = kanban.request === undefined ? undefined : definition.requests[kanban.request];
  const { choices = noItems, ...columnQuery } = useBoardColumns(definition, kanban, state.filters);
  const {
    loaded: loadedColumns,
    more: loadMore,
    retry,
  } = useColumnRecords({
    resource: definition.name,
    field: field.name,
    order: kanban.order,
    columns: choices,
    state,
    fixedValues: fixedFilter,
  });
  /** Where forms ask for a value, the column of records without one is there only for those that exist. */
  const isShown = ({ choice, total = 0 }: ShownColumn) => choice.id !== null || !field.requiredInForm || total > 0;
  const sums = useColumnSums(definition, kanban, state, fixedFilter);
  const moves = useMoves(definition, kanban, state.sort);
  const { question } = moves;
  const [placedCard, setPlacedCard] = useState<{ readonly id: string }>();
  // The board does not change while a card is dragged.
  const [frozenColumns, setFrozenColumns] = useState<ShownColumn[] | null>(null);
  const [draggedRecord, setDraggedRecord] = useState<ResourceRecord>();
  const columns = frozenColumns ?? withMoves(choices, loadedColumns, moves.moves, kanban).filter(isShown);
  const { frame, current, choose } = useColumnInView(columns.length);

  const findRecord = (id: string) =>
    columns.flatMap(({ records = noItems }) => records).find((record) => String(record.id) === id);
  const checkOf = (record: ResourceRecord, destination: BoardChoice) =>
    checkMove(definition, kanban, record, destination, actor, evaluationContext);
  const mayPlace = (record: ResourceRecord) => canPlace(definition, kanban, record, actor, evaluationContext);
  /** The values that the request of a move asks for, and those that the transition needs. */
  const asksOf = (neededFields: readonly Field[]): MoveInput[] => {
    const addedFields = request?.adds ? registry.get(request.adds.resource)?.fields : undefined;
    const requestField =
      kanban.field === undefined ? undefined : (addedFields?.[kanban.field] ?? definition.fields[kanban.field]);
    return [
      ...(requestField
        ? [{ field: requestField, required: request?.required.includes(requestField.name) ?? false }]
        : []),
      ...(request ? [] : neededFields.map((neededField) => ({ field: neededField, required: true }))),
    ];
  };
  const move = (record: ResourceRecord, sourceId: string, destinationId: string, index: number) => {
    const choiceOf = (id: string) =>
      requireValue(
        choices.find((choice) => String(choice.id) === id),
        `column ${id}`,
      );
    const idsIn = (id: string) => columns.find(({ choice }) => String(choice.id) === id)?.records?.map(idOf) ?? [];
    const beforeIndex = idsIn(sourceId).indexOf(idOf(record));
    const isWithin = sourceId === destinationId;
    if (isWithin && (!mayPlace(record) || index === beforeIndex)) return;
    const check: MoveCheck = isWithin ? { needs: noItems } : checkOf(record, choiceOf(destinationId));
    const { refusal, needs: neededFields } = check;
    if (refusal !== undefined) return;
    const inputs = isWithin ? [] : asksOf(neededFields);
    const idsAbove = idsIn(destinationId)
      .filter((id) => id !== idOf(record))
      .slice(0, index);
    // A move that still asks for input may never be sent.
    const isAsking = (id: number) =>
      moves.moves.some((pendingMove) => pendingMove.inputs.length > 0 && idOf(pendingMove.record) === id);
    const idAbove = idsAbove.findLast((id) => !isAsking(id)) ?? 0;
    moves.start({
      ...{ record, from: choiceOf(sourceId), to: choiceOf(destinationId), index, inputs },
      ...(mayPlace(record) && { neighbour: { current: idAbove, previous: idsIn(sourceId)[beforeIndex - 1] ?? 0 } }),
    });
    if (inputs.length === 0) setPlacedCard({ id: String(record.id) });
  };
  const onDragEnd = ({ draggableId, source, destination }: DropResult) => {
    setFrozenColumns(null);
    setDraggedRecord(undefined);
    const record = findRecord(draggableId);
    if (record && destination) move(record, source.droppableId, destination.droppableId, destination.index);
  };
  const columnOf = ({ id }: ResourceRecord) =>
    columns.find(({ records = noItems }) => records.some((record) => record.id === id));
  const run = (action: RowAction, record: ResourceRecord) => {
    if (!action.name.startsWith(moveActionPrefix)) return runOther(action, record);
    const sourceColumn = columnOf(record);
    if (sourceColumn) move(record, String(sourceColumn.choice.id), action.name.slice(moveActionPrefix.length), 0);
  };
  const moveActions = useMemo(
    () =>
      choices.map(({ id, title, state }) => ({
        to: { id, ...(state !== undefined && { state }) },
        action: { name: `${moveActionPrefix}${id}`, label: `Move to ${title}`, icon: 'arrow-right' } as RowAction,
      })),
    [choices],
  );
  const moveActionsById = useMemo(
    () => new Map(choices.map(({ id }) => [id, moveActions.filter(({ to: destination }) => destination.id !== id)])),
    [choices, moveActions],
  );
  const [pickedRecord, setPickedRecord] = useState<ResourceRecord>();
  const shownRecords = columns.flatMap(({ records = noItems }) => records) as RaRecord[];
  const selection = useSelection(list, { data: shownRecords, grouping: undefined, isReplacing: false });
  const { selected, selectable: isSelectable } = selection;
  const toggleLatest = useRef(selection.toggle);
  useEffect(() => void (toggleLatest.current = selection.toggle));
  // The same for all renderings, so that a card is rendered again only if it changes itself.
  const onToggle = useCallback(
    (record: ResourceRecord, isRange: boolean) => toggleLatest.current(idOf(record), isRange),
    [],
  );
  const placeBy = (record: ResourceRecord, offset: number) => {
    const { choice, records = noItems } = columnOf(record) ?? {};
    const index = records.findIndex(({ id }) => id === record.id) + offset;
    if (choice && index >= 0 && index < records.length) move(record, String(choice.id), String(choice.id), index);
  };
  useCardCommands({
    ...{ frame, definition, records: shownRecords, onMove: setPickedRecord, enabled: !embedded },
    ...{ onPlace: placeBy, mayPlace },
  });
  /** The columns to which a record can be moved. */
  const waysOf = (record: ResourceRecord) => {
    const sourceColumn = columnOf(record);
    if (!sourceColumn || moveDeniedReason(definition, kanban, record, actor, evaluationContext) !== undefined)
      return [];
    return choices
      .filter(
        (destination) =>
          destination.id !== sourceColumn.choice.id && checkOf(record, destination).refusal === undefined,
      )
      .map(({ id, title }) => ({
        id: String(id),
        label: title,
        run: () => move(record, String(sourceColumn.choice.id), String(id), 0),
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
  const refusalOf = (record: ResourceRecord, destination: BoardChoice) =>
    columnOf(record)?.choice.id === destination.id ? undefined : checkOf(record, destination).refusal;
  const describePickedUp = (record: ResourceRecord) => {
    const title = `Picked up ${recordTitle(definition, record)}.`;
    if (!field.transitions) return title;
    const open = choices.filter(
      (destination) =>
        columnOf(record)?.choice.id !== destination.id && checkOf(record, destination).refusal === undefined,
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
    if (placedCard) focusCard(placedCard.id);
    // oxlint-disable-next-line react/exhaustive-deps -- once for each move
  }, [placedCard]);
  const askedFor = question && String(question.record.id);
  useEffect(() => {
    if (askedFor !== undefined) return () => focusCard(askedFor);
    // oxlint-disable-next-line react/exhaustive-deps -- once for each question
  }, [askedFor]);

  const failed = columnQuery.error ?? columns.find(({ error }) => error)?.error;
  if (failed)
    return (
      <FailedState
        title={`${definition.labels.many} could not be loaded`}
        message={failed.message}
        onRetry={columnQuery.error ? columnQuery.retry : retry}
      />
    );
  if (choices.length === 0)
    return <BoardSkeleton {...{ kanban, target, isPhone }} filter={state.filters[kanban.column]} />;
  const blockReason = reasonNothingMoves(columns, (record) =>
    moveDeniedReason(definition, kanban, record, actor, evaluationContext),
  );
  return (
    <ActionsContext value={{ run, pathOf, blocker: hindranceOf }}>
      {isPhone && <ColumnTabs {...{ columns, target, current }} onChoose={choose} />}
      {blockReason && (
        <p className={styles.boardWhy} role="note">
          You cannot move these {definition.labels.many.toLowerCase()}: {blockReason}
        </p>
      )}
      <DragDropContext
        dragHandleUsageInstructions={instructions(kanban.order !== undefined)}
        onBeforeDragStart={({ draggableId }) => {
          setFrozenColumns(columns);
          setDraggedRecord(findRecord(draggableId));
        }}
        onDragStart={({ draggableId }, { announce }) => {
          const record = findRecord(draggableId);
          if (record) announce(describePickedUp(record));
        }}
        onDragUpdate={({ destination }, { announce }) => {
          const hoveredColumn = choices.find(({ id }) => String(id) === destination?.droppableId);
          const numberText = kanban.order !== undefined && destination ? `, number ${destination.index + 1}` : '';
          announce(hoveredColumn ? `Over ${hoveredColumn.title}${numberText}.` : 'Over no column.');
        }}
        onDragEnd={onDragEnd}
      >
        <div
          className={styles.board}
          ref={frame}
          style={{ ['--columns' as string]: columns.length }}
          data-moving={frozenColumns !== null || undefined}
        >
          {columns.map((column) => (
            <BoardColumn
              key={String(column.choice.id)}
              {...{ column, definition, kanban, target, isPaused: frozenColumns !== null }}
              sum={sums.get(String(column.choice.id))}
              refusal={draggedRecord && refusalOf(draggedRecord, column.choice)}
              onAdd={mayAddTo(column.choice) ? () => add(column.choice) : undefined}
              onMore={() => loadMore(column.choice.id)}
            >
              {column.records?.map((record, index) => (
                <RecordContextProvider key={String(record.id)} value={record}>
                  <BoardCard
                    {...{ definition, kanban, record, index, today, isExplained: blockReason !== undefined, onToggle }}
                    isSelected={isSelectable && !embedded ? selected.has(idOf(record)) : undefined}
                    isSelecting={selected.size > 0}
                    possibleMoves={moveActionsById.get(column.choice.id) ?? noItems}
                  />
                </RecordContextProvider>
              ))}
            </BoardColumn>
          ))}
        </div>
      </DragDropContext>
      <ListContext
        value={{ ...list, data: shownRecords, selection, perPage: Infinity } as unknown as ListControllerResult}
      >
        <SelectableCards frame={frame} />
      </ListContext>
      {pickedRecord && (
        <MovePalette
          title={recordTitle(definition, pickedRecord)}
          moves={waysOf(pickedRecord)}
          onClose={() => setPickedRecord(undefined)}
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
  const allRecords = columns.flatMap(({ records = noItems }) => records);
  const first = allRecords[0] && whyNot(allRecords[0]);
  return first !== undefined && allRecords.every((record) => whyNot(record) !== undefined) ? first : undefined;
}
