import { Draggable } from '@hello-pangea/dnd';
import { memo, useMemo } from 'react';
import { Link } from 'react-router-dom';
import type { Definition, Kanban, ResourceRecord, RowAction } from '../../../engine/definitions/definition';
import { checkMove, isLate, type BoardColumn, canMove } from '../../../engine/lists/kanban';
import { keyedTitle, recordTitle, rowActions, isArchived } from '../../../engine/lists/row-actions';
import { embedsOf } from '../../../engine/lists/titles';
import { useDefinitions } from '../../data/DefinitionsContext';
import { useEvaluationContext } from '../../data/useEvaluationContext';
import { RecordChip } from '../../chips/RecordChip';
import { Icon } from '../../icons/Icon';
import { ActionMenu } from '../ActionMenu';
import { CardLine } from '../cards/CardLine';
import { CardValue, CardValues } from '../cards/CardValues';
import { CardBox, isOnControl, keepTextUnselected } from '../cards/SelectableCards';
import { useOpenRecord } from '../../navigation/useOpenRecord';
import { CardFoot } from './CardFoot';
import * as chipsStyles from '../../chips/chips.module.css';
import * as styles from './kanban.module.css';
import { formatNumber } from '../../../engine/formats/numbers';
import { formatDate, isDate } from '../../../engine/formats/dates';
import type { Actor } from '../../../engine/access/actor';
import { decideAccess } from '../../../engine/access/access-decision';
import type { EvaluationContext } from '../../../engine/conditions/variables';
import { fieldOf } from '../../../engine/definitions/accessors';

interface BoardCardProps {
  definition: Definition;
  kanban: Kanban;
  record: ResourceRecord;
  index: number;
  /** Actions that move the card to other columns, for users who do not drag. */
  possibleMoves: readonly { readonly to: BoardColumn; readonly action: RowAction }[];
  /** `YYYY-MM-DD`. */
  today: string;
  /** The board already explains why nothing can be moved. */
  isExplained: boolean;
  /** Undefined where cards cannot be selected. */
  isSelected: boolean | undefined;
  /** Any card is selected, so that all show their boxes. */
  isSelecting: boolean;
  onToggle: (record: ResourceRecord, isRange: boolean) => void;
}

/** How long a card that was dropped moves to its place: never 0, as its end would not be noticed. */
const dropDuration = () => (window.matchMedia('(prefers-reduced-motion: reduce)').matches ? '0.001s' : '0.12s');

/** A record on the board. If the user may not move it, a lock says why. */
export const BoardCard = memo(function BoardCard(props: BoardCardProps) {
  const { definition, kanban, record, index, possibleMoves, today, isExplained } = props;
  const { isSelected, isSelecting, onToggle } = props;
  const { registry, actor } = useDefinitions();
  const evaluationContext = useEvaluationContext(definition);
  const blockReason = useMemo(
    () => moveDeniedReason(definition, kanban, record, actor, evaluationContext),
    [actor, definition, kanban, record, evaluationContext],
  );
  const actions = useMemo(() => {
    const menuActions = rowActions(definition, record, actor, evaluationContext).filter(
      ({ name }) => kanban.menu.includes(name) || name === 'view',
    );
    if (blockReason !== undefined) return menuActions;
    const open = possibleMoves.filter(
      ({ to: destination }) =>
        checkMove(definition, kanban, record, destination, actor, evaluationContext).refusal === undefined,
    );
    return [...menuActions, ...open.map(({ action }) => action)];
  }, [actor, definition, kanban, possibleMoves, record, evaluationContext, blockReason]);
  const { path, open, onClick } = useOpenRecord(definition)(record);
  const title = recordTitle(definition, record);
  const { key, name } = keyedTitle(definition, record);
  const priority = kanban.priority === undefined ? undefined : definition.fields[kanban.priority];
  const [mark] = priority ? embedsOf(priority, record) : [];
  const markOf = registry.get(priority?.to);
  const isOverdue = isLate(kanban, record);
  const dueDate = kanban.due === undefined ? undefined : record[kanban.due];
  const dueTitle = typeof dueDate === 'string' ? formatDate(dueDate.slice(0, 10)) : undefined;
  const clickable = path !== null && definition.list.rowClick !== 'none';
  return (
    <Draggable draggableId={String(record.id)} index={index} isDragDisabled={blockReason !== undefined}>
      {({ innerRef, draggableProps, dragHandleProps }, { isDragging, isDropAnimating }) => (
        <li
          ref={innerRef}
          {...draggableProps}
          style={
            isDropAnimating ? { ...draggableProps.style, transitionDuration: dropDuration() } : draggableProps.style
          }
          {...(blockReason === undefined && dragHandleProps)}
          role="listitem"
          className={styles.boardCard}
          aria-label={title}
          data-card={String(record.id)}
          data-dragging={(isDragging && !isDropAnimating) || undefined}
          data-fixed={blockReason !== undefined || undefined}
          data-selected={isSelected || undefined}
          onMouseDown={isSelected === undefined ? undefined : keepTextUnselected}
          onKeyDown={({ key, target, currentTarget }) => {
            if (clickable && key === 'Enter' && target === currentTarget) open();
          }}
          onClick={({ target, shiftKey, ctrlKey, metaKey, currentTarget }) => {
            if (isOnControl(target)) return;
            if (isSelected !== undefined && (shiftKey || ctrlKey || metaKey)) {
              onToggle(record, shiftKey);
              // Keys go on from there.
              currentTarget.focus({ preventScroll: true });
            } else if (clickable) open();
          }}
        >
          <div className={styles.boardHead}>
            <span className={key === undefined ? 'num' : undefined}>{key ?? `#${String(record.id)}`}</span>
            {blockReason !== undefined && !isExplained && <Lock words={`You cannot move this: ${blockReason}`} />}
            {isSelected !== undefined && (
              <CardBox {...{ title, isSelected, isSelecting }} onToggle={(isRange) => onToggle(record, isRange)} />
            )}
            {actions.length > 0 && <ActionMenu actions={actions} record={record} title={title} />}
          </div>
          <h3>
            {path ? (
              <Link to={path} onClick={onClick} draggable={false}>
                {name}
              </Link>
            ) : (
              name
            )}
          </h3>
          <CardValues definition={definition} record={record} omittedField={kanban.column}>
            {kanban.lines.length > 0 && (
              <dl>
                {kanban.lines.map((line) => (
                  <CardLine key={line.field} {...{ line, definition, record }} />
                ))}
              </dl>
            )}
            {(mark || isOverdue) && (
              <div className={styles.boardMarks}>
                {mark && priority && (
                  <CardValue field={priority.name}>
                    <RecordChip definition={markOf} record={mark} />
                  </CardValue>
                )}
                {isOverdue && (
                  <span className={chipsStyles.chip} data-tone="urgent" data-plain="" title={dueTitle}>
                    {lateText(dueDate, today)}
                  </span>
                )}
              </div>
            )}
            <CardFoot {...{ definition, kanban, record, today }} />
          </CardValues>
        </li>
      )}
    </Draggable>
  );
});

function Lock({ words }: { words: string }) {
  return (
    <span className={styles.boardLock} title={words}>
      <Icon name="lock" size={14} label={words} />
    </span>
  );
}

/** How late a record is: `3 days late`; `Late` without a due date. */
export function lateText(dueDate: unknown, today: string): string {
  if (typeof dueDate !== 'string' || !isDate(dueDate.slice(0, 10))) return 'Late';
  const days = Math.round((Date.parse(today) - Date.parse(dueDate.slice(0, 10))) / 86_400_000);
  return days < 1 ? 'Late' : days === 1 ? '1 day late' : `${formatNumber(days)} days late`;
}

/** Why the user cannot move a record to another column, as text that follows a colon; undefined if they can. */
export function moveDeniedReason(
  definition: Definition,
  kanban: Kanban,
  record: ResourceRecord,
  actor: Actor,
  evaluationContext: EvaluationContext,
): string | undefined {
  const { viewer, ...realActor } = actor;
  if (viewer)
    return (
      moveDeniedReason(definition, kanban, record, realActor, { ...evaluationContext, actor: realActor }) ??
      'you are viewing as another user, so nothing can be saved.'
    );
  if (canMove(definition, kanban, record, actor, evaluationContext)) return undefined;
  const plural = definition.labels.many.toLowerCase();
  const label = fieldOf(definition, kanban.column).label.toLowerCase();
  if (isArchived(record)) return `archived ${plural} stay where they are.`;
  const decision = decideAccess(actor, definition, 'edit');
  if (!decision.allowed) return `you can view ${plural}, but not change them.`;
  const reason = decision.rules.find((rule) => rule.reason)?.reason;
  return reason ? `you can change ${plural} ${reason}.` : `you can't change their ${label}.`;
}
