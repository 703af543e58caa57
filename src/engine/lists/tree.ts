/** A record of the tree beside a list. */
export interface TreeNode {
  readonly id: number;
  readonly title: string;
  /** The record above; null at the top, and where the caller may not list it. */
  readonly parent: number | null;
  /** How many records of the list are in its branch, and how many of those are in it itself. */
  readonly count: number;
  readonly own: number;
  /** The title of its parent, such as its project; null if it has none that the caller may list. */
  readonly of: string | null;
  /** Its required relations, which a record below it has too: `{ project_id: 7 }`. */
  readonly values: Readonly<Record<string, number | null>>;
}

/** The tree beside a list. The counts of its top level and `none` add up to `total`. */
export interface CountedTree {
  readonly nodes: readonly TreeNode[];
  /** How many records of the list are in no branch. */
  readonly none: number;
  readonly total: number;
}

/** A line of a tree as it is shown. */
export interface TreeRow {
  readonly node: TreeNode;
  /** From 1. */
  readonly level: number;
  /** Its place among the records with the same one above, from 1, and their number. */
  readonly place: number;
  readonly of: number;
  /** Undefined if nothing is below it. */
  readonly open: boolean | undefined;
}

/**
 * The lines of a tree: its top level, and what is below the records that are open.
 *
 * @example treeRows(nodes, new Set([3])).map(({ node, level }) => '  '.repeat(level) + node.title);
 */
export function treeRows(nodes: readonly TreeNode[], open: ReadonlySet<number>): TreeRow[] {
  const nodesByParent = new Map<number | null, TreeNode[]>();
  for (const node of nodes) {
    const siblings = nodesByParent.get(node.parent);
    if (siblings) siblings.push(node);
    else nodesByParent.set(node.parent, [node]);
  }
  const rows: TreeRow[] = [];
  const add = (parent: number | null, level: number) => {
    const children = nodesByParent.get(parent) ?? [];
    children.forEach((node, index) => {
      const isOpen = nodesByParent.has(node.id) ? open.has(node.id) : undefined;
      rows.push({ node, level, place: index + 1, of: children.length, open: isOpen });
      if (isOpen) add(node.id, level + 1);
    });
  };
  add(null, 1);
  return rows;
}

/**
 * The records above one, the nearest first.
 *
 * @example nodesAbove(nodes, 12).map(({ title }) => title); // ['Card', 'Payments']
 */
export function nodesAbove(nodes: readonly TreeNode[], id: number): TreeNode[] {
  const nodesById = new Map(nodes.map((node) => [node.id, node]));
  const ancestors: TreeNode[] = [];
  for (let next = nodesById.get(id)?.parent; next !== undefined && next !== null; next = nodesById.get(next)?.parent) {
    const node = nodesById.get(next);
    if (!node || ancestors.includes(node)) break;
    ancestors.push(node);
  }
  return ancestors;
}

/**
 * Whether a record can be placed below another: not below itself, nor where it is already.
 *
 * @example canPlace(nodes, 12, 3);
 */
export function canPlace(nodes: readonly TreeNode[], id: number, parent: number | null): boolean {
  if (id === parent || nodes.find((node) => node.id === id)?.parent === parent) return false;
  return parent === null || !nodesAbove(nodes, parent).some((node) => node.id === id);
}

/**
 * The values of the relations of a list's tree for a record in a branch: the last one is the record at the top of it, those
 * before it the ones below, and the first one the branch itself. Null: in no branch.
 *
 * @example branchValues(['part_id', 'place_id'], nodes, 12); // { part_id: 12, place_id: 3 }
 */
export function branchValues(
  fields: readonly string[],
  nodes: readonly TreeNode[],
  id: number | null,
): Record<string, number | null> {
  const path = id === null ? [] : [id, ...nodesAbove(nodes, id).map((node) => node.id)].reverse();
  const fromTop = fields.toReversed();
  const last = fromTop.length - 1;
  // Below what the relations before it say, the innermost one holds the branch itself.
  return Object.fromEntries(
    fromTop.map((name, level) => [
      name,
      (level === last ? path[Math.max(level, path.length - 1)] : path[level]) ?? null,
    ]),
  );
}
