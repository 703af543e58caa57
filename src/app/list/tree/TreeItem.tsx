import type { DragEvent } from 'react';
import { formatNumber } from '../../../engine/formats/numbers';
import type { TreeNode, TreeRow } from '../../../engine/lists/tree';
import { Icon } from '../../icons/Icon';
import * as styles from './tree.module.css';

/** A line of the tree: the whole list, a record, or the records in no branch. */
export interface Line {
  /** `all`, `none`, or the id of a record. */
  readonly key: string;
  readonly title: string;
  readonly count: number;
  readonly node?: TreeNode;
  readonly row?: TreeRow;
  /** Its place among those beside it, from 1, and their number. */
  readonly place: number;
  readonly of: number;
}

interface TreeItemProps {
  line: Line;
  chosen: boolean;
  /** The tab stop of the tree. */
  stop: boolean;
  /** Something is dragged over it. */
  over: boolean;
  /** It is being moved. */
  moved: boolean;
  draggable: boolean;
  onDragStart: () => void;
  onDragEnd: () => void;
  drop: {
    onDragOver: (event: DragEvent) => void;
    onDragLeave: () => void;
    onDrop: (event: DragEvent) => void;
  };
  onChoose: () => void;
  onToggle: () => void;
  onFocus: () => void;
  /** Opens the menu; undefined: there is nothing in it. */
  onMenu?: () => void;
}

/** A line of the tree with its count. */
export function TreeItem({ line, chosen, stop, over, moved, draggable, drop, onMenu, ...handlers }: TreeItemProps) {
  const { title, count, node, row } = line;
  const level = row?.level ?? 1;
  const groupTitle = level === 1 ? node?.of : null;
  return (
    <li
      role="treeitem"
      className={styles.treeItem}
      style={{ '--level': level } as object}
      data-key={line.key}
      data-over={over || undefined}
      data-moved={moved || undefined}
      aria-level={level}
      aria-posinset={line.place}
      aria-setsize={line.of}
      aria-expanded={row?.open}
      aria-selected={chosen}
      aria-label={`${title}${groupTitle ? `, ${groupTitle}` : ''}: ${count}`}
      tabIndex={stop ? 0 : -1}
      title={groupTitle ? `${title} · ${groupTitle}` : title}
      draggable={draggable}
      onClick={handlers.onChoose}
      onFocus={handlers.onFocus}
      onContextMenu={
        onMenu &&
        ((event) => {
          event.preventDefault();
          onMenu();
        })
      }
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move';
        event.dataTransfer.setData('text/plain', title);
        handlers.onDragStart();
      }}
      onDragEnd={handlers.onDragEnd}
      {...drop}
    >
      {row?.open === undefined ? (
        <span className={styles.treeTwist} />
      ) : (
        <span
          className={styles.treeTwist}
          aria-hidden="true"
          data-open={row.open}
          onClick={(event) => {
            event.stopPropagation();
            handlers.onToggle();
          }}
        >
          <Icon name="chevron-right" size={14} />
        </span>
      )}
      <span className={styles.treeTitle} aria-hidden="true">
        {title}
      </span>
      {onMenu && (
        <button
          type="button"
          className={styles.treeMore}
          tabIndex={-1}
          aria-label={`More actions for ${title}`}
          aria-haspopup="menu"
          onClick={(event) => {
            event.stopPropagation();
            onMenu();
          }}
        >
          <Icon name="more" />
        </button>
      )}
      <span className={styles.treeCount} aria-hidden="true" data-empty={count === 0 || undefined}>
        {formatNumber(count)}
      </span>
    </li>
  );
}
