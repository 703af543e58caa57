import { RichTreeView } from '@mui/x-tree-view/RichTreeView';
import {
  createContext,
  use,
  useEffect,
  useMemo,
  useRef,
  useState,
  type DragEvent,
  type ReactNode,
  type Ref,
} from 'react';
import { RecordContextProvider } from 'react-admin';
import { flushSync } from 'react-dom';
import { noBranch, treeName } from '../../../engine/conditions/tree';
import type { Definition, ResourceRecord } from '../../../engine/definitions/definition';
import { canPlace, nodesAbove, treeRows, type CountedTree, type TreeNode } from '../../../engine/lists/tree';
import { firstOf } from '../../../engine/values/lookups';
import { lazyComponent } from '../../states/lazyComponent';
import { Icon } from '../../icons/Icon';
import { RowButton } from '../RowButton';
import { openNodes, rememberOpenNodes } from './rememberedTree';
import { TitleInput } from './TitleInput';
import { TreeItem, type Line, type LineKeyEvent, type LineProps } from './TreeItem';
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
  /** A record of the list can be added below the chosen line. */
  hasQuickAdd: boolean;
  onChoose: (value: number | string | undefined) => void;
}

const QuickAdd = lazyComponent(() => import('../quick-add/QuickAdd'));

/** Trees up to this size are open at first. */
const shortTree = 40;
/** The key of the line in which the title of a new record is written. */
const newKey = 'new';

/** The title that is being written: of a new record below another (null: at the top), or another title. */
type Writing = { readonly below: TreeNode | null } | { readonly title: TreeNode };

/** A line by its key: its state, and what is shown in its place. */
interface ShownLine {
  readonly props?: LineProps;
  /** The record that those from this line on are part of. */
  readonly heading?: string;
  /** The input for its title. */
  readonly input?: ReactNode;
  readonly record?: ResourceRecord;
  /** Stands between it and the lines below it. */
  readonly addition?: ReactNode;
}

const LinesContext = createContext<ReadonlyMap<string, ShownLine>>(new Map());
const slots = { item: ShownItem };

/**
 * The lines of a tree. Arrows, Home, End, letters and the opening of branches are those of MUI's tree; Enter chooses, and
 * other keys change the record of a line.
 */
export function TreeView({ definition, target, tree, chosen, changes, records, hasQuickAdd, onChoose }: TreeViewProps) {
  const { nodes } = tree;
  const list = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useOpen(definition.name, nodes, chosen);
  const [current, setCurrent] = useState<string>();
  const [menu, setMenu] = useState<OpenMenu | null>(null);
  const [writing, setWriting] = useState<Writing | null>(null);
  const [movingNode, setMovingNode] = useState<TreeNode | null>(null);
  // Not a state: a drag ends at once where the page changes as it begins.
  const draggedNode = useRef<TreeNode>(null);
  const [hoveredKey, setHoveredKey] = useState<string>();
  const lines = linesOf(definition, tree, treeRows(nodes, open), chosen);
  const isChosen = (key: string) => (chosen === '' ? key === 'all' : chosen.split(',').includes(key));
  const stop = lines.find(({ key }) => key === current) ?? lines.find(({ key }) => isChosen(key)) ?? firstOf(lines);

  // A branch that an address chose may be far below.
  const isDrawn = lines.some(({ key }) => key === chosen);
  useEffect(() => {
    if (isDrawn) list.current?.querySelector(`[data-key="${chosen}"]`)?.scrollIntoView?.({ block: 'nearest' });
  }, [chosen, isDrawn]);

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

  const onKeyDown = (line: Line, event: LineKeyEvent) => {
    const { node } = line;
    const byKey: Record<string, (() => void) | undefined> = {
      Enter: () => choose(line),
      ' ': () => choose(line),
      Escape: movingNode ? () => setMovingNode(null) : undefined,
      F2: node && changes.rename ? () => setWriting({ title: node }) : undefined,
      ContextMenu: node ? () => openMenu(line) : undefined,
      'Ctrl+x': node && changes.move ? () => setMovingNode(node) : undefined,
      'Ctrl+v': movingNode ? () => placeOn(line) : undefined,
    };
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
    const isMenu = isPlain && event.shiftKey && event.key === 'F10';
    const action = byKey[isMenu ? 'ContextMenu' : isPlain ? event.key : `Ctrl+${event.key.toLowerCase()}`];
    // The other keys of the application are not meant by a key that leads through the tree.
    if (action || (isPlain && /^([\p{L}\p{N}*]|Arrow.*|Home|End)$/u.test(event.key))) event.stopPropagation();
    if (!action) return;
    event.preventDefault();
    event.defaultMuiPrevented = true;
    action();
  };
  const openMenu = ({ key, node }: Line) => {
    setCurrent(key);
    const anchor = list.current?.querySelector<HTMLElement>(`[data-key="${key}"]`);
    if (node && anchor) setMenu({ node, anchor });
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
    return records.draggedRecords.current.length > 0 && line.key !== 'all';
  };
  const inputFor = (node: TreeNode | null, level: number) => (
    <li role="none" className={styles.treeWriting} style={{ '--level': level } as object}>
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
  const shownLineOf = (line: Line): ShownLine => {
    const { key, node, row } = line;
    const isRenamed = node && writing && 'title' in writing && writing.title.id === node.id;
    return {
      heading: node && headings.get(node.id),
      input: isRenamed ? inputFor(node, row!.level) : undefined,
      addition: hasQuickAdd && node && key === chosen && (
        <li
          role="treeitem"
          aria-label="New"
          aria-level={row!.level + 1}
          className={styles.treeAdd}
          style={{ '--level': row!.level } as object}
        >
          <QuickAdd isInTree />
        </li>
      ),
      record: node && { ...node.values, id: node.id, [target.titleField]: node.title },
      props: {
        line,
        chosen: isChosen(key),
        stop: key === stop.key,
        over: hoveredKey === key,
        moved: movingNode !== null && movingNode.id === node?.id,
        draggable: node !== undefined && changes.move !== undefined,
        onDragStart: () => (draggedNode.current = node ?? null),
        onDragEnd: () => {
          draggedNode.current = null;
          setHoveredKey(undefined);
        },
        drop: dropOn(line),
        onChoose: () => choose(line),
        onFocus: () => setCurrent(key),
        onKeyDown: (event) => onKeyDown(line, event),
        onMenu: node && (changes.add ?? changes.rename ?? changes.move) ? () => openMenu(line) : undefined,
      },
    };
  };
  const shownLines = new Map(lines.map((line) => [line.key, shownLineOf(line)]));
  if (newBelow !== undefined) {
    const levelAbove = lines.find(({ node }) => node !== undefined && node.id === newBelow?.id)?.row?.level ?? 0;
    shownLines.set(newKey, { input: inputFor(null, levelAbove + 1) });
  }
  // A line without lines below it is not expanded: the right arrow would lead from it to the next one.
  const branches = new Set([...nodes.map(({ parent }) => parent), newBelow?.id]);
  const expandedItems = [...open].filter((id) => branches.has(id)).map(String);
  const items = useMemo(
    () => itemsOf(definition, tree, chosen, newBelow && newBelow.id),
    [chosen, definition, newBelow, tree],
  );
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
      <div ref={list} className={styles.treeList}>
        <LinesContext value={shownLines}>
          <RichTreeView
            aria-label={target.labels.many}
            items={items}
            domStructure="flat"
            expandedItems={expandedItems}
            onExpandedItemsChange={(_, ids) =>
              setOpen(new Set([...[...open].filter((id) => !branches.has(id)), ...ids.map(Number)]))
            }
            expansionTrigger="iconContainer"
            // Several branches can be chosen by an address, and a chosen one is no checkbox.
            disableSelection
            slots={slots}
          />
        </LinesContext>
      </div>
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

/** A line as the library shows it: what is written in its place, or the line, below its heading. */
function ShownItem({ itemId, id, ref }: { itemId: string; id?: string; ref?: Ref<HTMLLIElement> }) {
  const { props, heading, input, record, addition } = use(LinesContext).get(itemId) ?? {};
  return (
    <RecordContextProvider value={record}>
      {heading !== undefined && (
        <li role="none" className={styles.treeGroup}>
          {heading}
        </li>
      )}
      {input ?? (props && <TreeItem {...{ ...props, id, ref }} />)}
      {addition}
    </RecordContextProvider>
  );
}

/** Whether the records in no branch have a line. */
const showsNone = (tree: CountedTree, chosenBranch: string) => tree.none > 0 || chosenBranch === noBranch;

const noneTitle = (definition: Definition) =>
  `No ${(definition.parameters[treeName]?.label ?? treeName).toLowerCase()}`;

/** The visible lines of the tree: the whole list, the records, and those in no branch if there are any. */
function linesOf(
  definition: Definition,
  tree: CountedTree,
  rows: ReturnType<typeof treeRows>,
  chosenBranch: string,
): readonly Line[] {
  const isNoneShown = showsNone(tree, chosenBranch);
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
    ...(isNoneShown ? [{ key: noBranch, title: noneTitle(definition), count: tree.none, place: top, of: top }] : []),
  ];
}

interface Item {
  readonly id: string;
  readonly label: string;
  readonly children?: Item[];
}

/** All lines of the tree, visible or not; a new record is written before those below the same record, or at the top. */
function itemsOf(
  definition: Definition,
  tree: CountedTree,
  chosenBranch: string,
  newBelow: number | null | undefined,
): Item[] {
  const nodesByParent = new Map<number | null, TreeNode[]>();
  for (const node of tree.nodes) nodesByParent.set(node.parent, [...(nodesByParent.get(node.parent) ?? []), node]);
  const newItems = (parent: number | null) => (parent === newBelow ? [{ id: newKey, label: '' }] : []);
  const childrenOf = (parent: number | null): Item[] =>
    (nodesByParent.get(parent) ?? []).map(({ id, title }) => ({
      id: String(id),
      label: title,
      children: [...newItems(id), ...childrenOf(id)],
    }));
  return [
    { id: 'all', label: `All ${definition.labels.many}` },
    ...newItems(null),
    ...childrenOf(null),
    ...(showsNone(tree, chosenBranch) ? [{ id: noBranch, label: noneTitle(definition) }] : []),
  ];
}

/** The records that those at the top are part of, by the first of each, if they are not all part of the same. */
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
