import { useEffect, useRef, useState, type DragEvent, type KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';
import { noBranch, treeName } from '../../../engine/conditions/tree';
import type { Definition } from '../../../engine/definitions/definition';
import { canPlace, nodesAbove, treeRows, type CountedTree, type TreeNode } from '../../../engine/lists/tree';
import { Icon } from '../../icons/Icon';
import { RowButton } from '../RowButton';
import { openNodes, rememberOpenNodes } from './rememberedTree';
import { TitleInput } from './TitleInput';
import { TreeItem, type Line } from './TreeItem';
import { TreeMenu, type OpenMenu } from './TreeMenu';
import type { RecordDrop } from './useRecordDrop';
import type { TreeChanges } from './useTreeChanges';
import * as styles from './tree.module.css';

interface TreeViewProps {
  definition: Definition;
  target: Definition;
  tree: CountedTree;
  /** The filter by a branch as text: ids, `none`, or empty. */
  chosen: string;
  changes: TreeChanges;
  /** The records of the list that are dragged here. */
  records: RecordDrop;
  onChoose: (value: number | string | undefined) => void;
}

/** Trees up to this size are open at first. */
const shortTree = 40;
/** Milliseconds in which letters belong to one word. */
const wordTime = 700;

/** What is being written: a new record below another (null: at the top), or another title. */
type Writing = { readonly below: TreeNode | null } | { readonly title: TreeNode };

/** The lines of a tree, operated as the ARIA pattern of trees has it: one tab stop, arrows, Home, End, letters, Enter. */
export function TreeView({ definition, target, tree, chosen, changes, records, onChoose }: TreeViewProps) {
  const { nodes } = tree;
  const list = useRef<HTMLUListElement>(null);
  const [open, setOpen] = useOpen(definition.name, nodes, chosen);
  const [current, setCurrent] = useState<string>();
  const [menu, setMenu] = useState<OpenMenu | null>(null);
  const [writing, setWriting] = useState<Writing | null>(null);
  const [movingNode, setMovingNode] = useState<TreeNode | null>(null);
  // Not a state: a drag ends at once where the page changes as it begins.
  const draggedNode = useRef<TreeNode>(null);
  const [hoveredKey, setHoveredKey] = useState<string>();
  const word = useRef({ text: '', at: 0 });
  const lines = linesOf(definition, tree, treeRows(nodes, open), chosen);
  const isChosen = (key: string) => (chosen === '' ? key === 'all' : chosen.split(',').includes(key));
  const stop = lines.find(({ key }) => key === current) ?? lines.find(({ key }) => isChosen(key)) ?? lines[0]!;

  const focus = (key: string) => {
    // A line that becomes visible by the same key is there before the focus; a frame later, it would take the focus from
    // what the next key opens.
    flushSync(() => setCurrent(key));
    list.current?.querySelector<HTMLElement>(`[data-key="${key}"]`)?.focus();
  };
  const setNode = (node: TreeNode, isOpen: boolean) => setOpen(toggled(open, [node.id], isOpen));
  const placeOn = (line: Line) => {
    if (!movingNode || line.key === noBranch) return;
    const parent = line.node ?? null;
    if (!canPlace(nodes, movingNode.id, parent?.id ?? null)) return;
    void moveTo(movingNode, parent);
  };
  const moveTo = async (node: TreeNode, parent: TreeNode | null) => {
    setMovingNode(null);
    if (parent) setNode(parent, true);
    if (await changes.move?.(node, parent)) focus(String(node.id));
  };
  const choose = (line: Line) => {
    setCurrent(line.key);
    if (movingNode) return placeOn(line);
    onChoose(line.key === 'all' ? undefined : line.key === noBranch ? noBranch : line.node!.id);
  };
  const add = (parent: TreeNode | null) => {
    if (!changes.needsTitleOnly(parent)) return changes.addInForm(parent);
    if (parent) setNode(parent, true);
    setWriting({ below: parent });
  };
  const write = async (title: string) => {
    const draft = writing!;
    setWriting(null);
    if ('title' in draft) {
      if (title !== draft.title.title && (await changes.rename?.(draft.title, title)) === false) setWriting(draft);
      focus(String(draft.title.id));
    } else {
      focus(draft.below ? String(draft.below.id) : 'all');
      await changes.add?.(draft.below, title);
    }
  };
  const stopWriting = () => {
    const key = !writing
      ? stop.key
      : 'title' in writing
        ? String(writing.title.id)
        : String(writing.below?.id ?? 'all');
    setWriting(null);
    focus(key);
  };

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.target instanceof HTMLInputElement) return;
    const index = lines.indexOf(stop);
    const { node, row } = stop;
    const focusLine = (line: Line | undefined) => line && focus(line.key);
    const byKey: Record<string, (() => void) | undefined> = {
      ArrowDown: () => focusLine(lines[index + 1]),
      ArrowUp: () => focusLine(lines[index - 1]),
      Home: () => focusLine(lines[0]),
      End: () => focusLine(lines.at(-1)),
      ArrowRight: () => {
        if (node && row?.open === false) setNode(node, true);
        else if (row?.open) focusLine(lines[index + 1]);
      },
      ArrowLeft: () => {
        if (node && row?.open) setNode(node, false);
        else focusLine(lines.find((line) => line.node && line.node.id === node?.parent));
      },
      Enter: () => choose(stop),
      ' ': () => choose(stop),
      '*': () => {
        const siblings = nodes.filter(({ parent }) => parent === (node?.parent ?? null));
        setOpen(
          toggled(
            open,
            siblings.map(({ id }) => id),
            true,
          ),
        );
      },
      Escape: movingNode ? () => setMovingNode(null) : undefined,
      F2: node && changes.rename ? () => setWriting({ title: node }) : undefined,
      ContextMenu: node ? () => openMenu(stop, event.currentTarget) : undefined,
    };
    const action = event.shiftKey && event.key === 'F10' ? byKey.ContextMenu : byKey[event.key];
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (!isPlain && node && changes.move && event.key.toLowerCase() === 'x') setMovingNode(node);
    else if (!isPlain && movingNode && event.key.toLowerCase() === 'v') placeOn(stop);
    else if (isPlain && action) action();
    else if (isPlain && /^[\p{L}\p{N}]$/u.test(event.key)) focusLine(lineOfWord(event.key, index, event.timeStamp));
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  /** The next line that begins with what is typed; the same letter again goes on to the next. */
  const lineOfWord = (character: string, index: number, time: number) => {
    const isSame = time - word.current.at < wordTime;
    const text = (isSame ? word.current.text : '') + character.toLowerCase();
    word.current = { text, at: time };
    const isRepeated = [...text].every((symbol) => symbol === character.toLowerCase());
    const prefix = isRepeated ? character.toLowerCase() : text;
    const startIndex = index + (isRepeated ? 1 : 0);
    const orderedLines = [...lines.slice(startIndex), ...lines.slice(0, startIndex)];
    return orderedLines.find(({ title }) => title.toLowerCase().startsWith(prefix));
  };
  const openMenu = (line: Line, container: HTMLElement) => {
    setCurrent(line.key);
    const anchor = container.querySelector<HTMLElement>(`[data-key="${line.key}"]`) ?? container;
    if (line.node) setMenu({ node: line.node, anchor });
  };
  const dropOn = (line: Line) => ({
    onDragOver: (event: DragEvent) => {
      if (!canDrop(line)) return;
      event.preventDefault();
      setHoveredKey(line.key);
    },
    onDragLeave: () => setHoveredKey((previousKey) => (previousKey === line.key ? undefined : previousKey)),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      setHoveredKey(undefined);
      const node = draggedNode.current;
      if (!canDrop(line)) return;
      if (node) void moveTo(node, line.node ?? null);
      else void records.drop(line.node ?? null);
    },
  });
  /** A record of the tree goes below another or to the top, those of the list into a branch or into none. */
  const canDrop = (line: Line): boolean => {
    const node = draggedNode.current;
    if (node) return line.key !== noBranch && canPlace(nodes, node.id, line.node?.id ?? null);
    return records.dragged.current.length > 0 && line.key !== 'all';
  };
  const inputFor = (node: TreeNode | null, level: number) => (
    <li role="none" key="writing" className={styles.treeWriting} style={{ '--level': level } as object}>
      <TitleInput
        label={node ? `Title of ${node.title}` : `Title of a new ${target.labels.one.toLowerCase()}`}
        text={node?.title ?? ''}
        maxLength={target.fields[target.titleField]?.maxLength}
        onSave={(title) => void write(title)}
        onCancel={stopWriting}
      />
    </li>
  );
  const headings = headingsOf(nodes);
  const newBelow = writing && 'below' in writing ? writing.below : undefined;
  return (
    <>
      {changes.add && (
        <div className={styles.treeTools}>
          <RowButton
            title={`Add ${target.labels.one}`}
            aria-label={`Add ${target.labels.one}`}
            onClick={() => add(null)}
          >
            <Icon name="plus" />
          </RowButton>
        </div>
      )}
      {movingNode && (
        <div className={styles.treeMoving} role="status">
          <span>
            Where to put <b>{movingNode.title}</b>? Choose a line; the first one is the top level.
          </span>
          <button type="button" onClick={() => setMovingNode(null)}>
            Cancel
          </button>
        </div>
      )}
      <ul ref={list} role="tree" aria-label={target.labels.many} className={styles.treeList} onKeyDown={onKeyDown}>
        {lines.flatMap((line) => {
          const { node, row, key } = line;
          const isRenamed = node && writing && 'title' in writing && writing.title.id === node.id;
          const item = isRenamed ? (
            inputFor(node, row!.level)
          ) : (
            <TreeItem
              key={key}
              {...{ line }}
              chosen={isChosen(key)}
              stop={key === stop.key}
              over={hoveredKey === key}
              moved={movingNode !== null && movingNode.id === node?.id}
              draggable={node !== undefined && changes.move !== undefined}
              onDragStart={() => (draggedNode.current = node ?? null)}
              onDragEnd={() => {
                draggedNode.current = null;
                setHoveredKey(undefined);
              }}
              drop={dropOn(line)}
              onChoose={() => choose(line)}
              onToggle={() => node && setNode(node, !row?.open)}
              onFocus={() => setCurrent(key)}
              onMenu={
                node && (changes.add ?? changes.rename ?? changes.move)
                  ? () => openMenu(line, list.current!)
                  : undefined
              }
            />
          );
          const heading = row && headings.get(row.node.id);
          const items = heading
            ? [
                <li role="none" key={`of-${key}`} className={styles.treeGroup}>
                  {heading}
                </li>,
                item,
              ]
            : [item];
          if (key === 'all' && newBelow === null) return [item, inputFor(null, 1)];
          return node && newBelow?.id === node.id ? [...items, inputFor(null, row!.level + 1)] : items;
        })}
      </ul>
      {menu && (
        <TreeMenu
          menu={menu}
          changes={changes}
          onClose={() => {
            setMenu(null);
            focus(String(menu.node.id));
          }}
          onChosen={() => setMenu(null)}
          onAdd={add}
          onRename={(node) => setWriting({ title: node })}
          onMove={(node) => {
            setMovingNode(node);
            focus(String(node.id));
          }}
        />
      )}
    </>
  );
}

/** All lines of the tree: the whole list, the records, and those in no branch if there are any. */
function linesOf(
  definition: Definition,
  tree: CountedTree,
  rows: ReturnType<typeof treeRows>,
  chosenBranch: string,
): readonly Line[] {
  const label = definition.parameters[treeName]?.label ?? treeName;
  const isNoneShown = tree.none > 0 || chosenBranch === noBranch;
  const top = rows.filter(({ level }) => level === 1).length + 1 + Number(isNoneShown);
  return [
    { key: 'all', title: `All ${definition.labels.many}`, count: tree.total, place: 1, of: top },
    ...rows.map((row) => {
      const isTop = row.level === 1;
      return {
        key: String(row.node.id),
        title: row.node.title,
        count: row.node.count,
        node: row.node,
        row,
        place: row.place + Number(isTop),
        of: isTop ? top : row.of,
      };
    }),
    ...(isNoneShown
      ? [{ key: noBranch, title: `No ${label.toLowerCase()}`, count: tree.none, place: top, of: top }]
      : []),
  ];
}

/** What the records at the top are part of, by the first of each, if they are not all part of the same. */
function headingsOf(nodes: readonly TreeNode[]): ReadonlyMap<number, string> {
  const top = nodes.filter(({ parent }) => parent === null);
  const headings = top.flatMap(({ id, of: group }, index) =>
    group === (top[index - 1]?.of ?? null) ? [] : [[id, group] as const],
  );
  return new Map(headings.length > 1 ? headings.map(([id, group]) => [id, group ?? 'Others']) : []);
}

/** The open records: all of a short tree at first, and always those above the chosen one. */
function useOpen(list: string, nodes: readonly TreeNode[], chosenBranch: string) {
  const [open, setOpen] = useState<ReadonlySet<number>>(
    () => openNodes(list) ?? new Set(nodes.length <= shortTree ? nodes.map(({ id }) => id) : []),
  );
  const change = (next: ReadonlySet<number>) => {
    rememberOpenNodes(list, next);
    setOpen(next);
  };
  const shownBranch = useRef('');
  useEffect(() => {
    if (shownBranch.current === chosenBranch) return;
    shownBranch.current = chosenBranch;
    const ancestorIds = chosenBranch.split(',').flatMap((id) => nodesAbove(nodes, Number(id)).map((node) => node.id));
    setOpen((current) => toggled(current, ancestorIds, true));
  }, [chosenBranch, nodes]);
  return [open, change] as const;
}

function toggled(open: ReadonlySet<number>, ids: readonly number[], isOpen: boolean): ReadonlySet<number> {
  const next = new Set(open);
  for (const id of ids) {
    if (isOpen) next.add(id);
    else next.delete(id);
  }
  return next;
}
