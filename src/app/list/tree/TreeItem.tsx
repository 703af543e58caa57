import { useTreeItem } from '@mui/x-tree-view/useTreeItem';
import type { DragEvent, KeyboardEvent, MouseEvent, Ref } from 'react';
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

/** The state and the handlers of a line, besides those that the library has for each. */
export interface LineProps {
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
  onFocus: () => void;
  onKeyDown: (event: LineKeyEvent) => void;
  /** Opens the menu; undefined: there is nothing in it. */
  onMenu?: () => void;
}

/** A key pressed on a line; what `defaultMuiPrevented` says is not done by the library. */
export type LineKeyEvent = KeyboardEvent<HTMLElement> & { defaultMuiPrevented?: boolean };

interface TreeItemProps extends LineProps {
  /** As the library has it. */
  id?: string;
  ref?: Ref<HTMLLIElement>;
}

/** A line of the tree with its count. */
export function TreeItem({
  id,
  ref,
  line,
  chosen,
  stop,
  over,
  moved,
  draggable,
  drop,
  onMenu,
  ...handlers
}: TreeItemProps) {
  const { title, count, node, row } = line;
  const level = row?.level ?? 1;
  const groupTitle = level === 1 ? node?.of : null;
  const { getRootProps, getIconContainerProps } = useTreeItem({ id, itemId: line.key, label: title, rootRef: ref });
  const rootProps = getRootProps({
    className: styles.treeItem,
    style: { '--level': level } as object,
    'data-key': line.key,
    'data-over': over || undefined,
    'data-moved': moved || undefined,
    'aria-level': level,
    'aria-posinset': line.place,
    'aria-setsize': line.of,
    'aria-expanded': row?.open,
    'aria-selected': chosen,
    'aria-label': `${title}${groupTitle ? `, ${groupTitle}` : ''}: ${count}`,
    tabIndex: stop ? 0 : -1,
    title: groupTitle ? `${title} · ${groupTitle}` : title,
    draggable,
    onClick: handlers.onChoose,
    onFocus: handlers.onFocus,
    onKeyDown: handlers.onKeyDown,
  });
  return (
    <li
      {...rootProps}
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
          {...getIconContainerProps({ onClick: (event: MouseEvent) => event.stopPropagation() })}
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
