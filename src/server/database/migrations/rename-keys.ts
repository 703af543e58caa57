import { parseTree, type Node } from 'jsonc-parser';
import { ownProperty } from '../../../engine/values/lookups';

/**
 * The names that keys of the definition language had, by the object that has them: `*` is any name, `[]` any entry of a
 * list or the value itself where a list can be left out. Objects are named as they are called now.
 */
const renamedKeys: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '': { when: 'automations', was: 'formerName' },
  'fields/*': {
    after: 'laterThan',
    also: 'indirectRelation',
    asksBefore: 'confirmChangesOf',
    by: 'latestBy',
    continues: 'suggestedFrom',
    countAs: 'countName',
    distinct: 'distinctBy',
    empty: 'emptyText',
    from: 'startField',
    inserts: 'insertedRows',
    many: 'multiple',
    most: 'maxItems',
    notAfter: 'maxDate',
    of: 'source',
    on: 'dateField',
    per: 'partitionBy',
    queryOf: 'queryResource',
    shares: 'sharedFields',
    show: 'showFields',
    strip: 'valueStrip',
    take: 'aggregate',
    was: 'formerName',
    within: 'container',
  },
  'fields/*/options/[]': { was: 'formerValue' },
  'fields/*/transitions/[]': { needs: 'requiredFields', when: 'where' },
  'automations/[]': {
    as: 'runAs',
    at: 'time',
    changed: 'changedFields',
    do: 'steps',
    every: 'schedule',
    idle: 'idleTime',
    on: 'events',
    zone: 'timeZone',
  },
  'automations/[]/steps/[]': { each: 'forEach' },
  'validate/[]': { at: 'field', must: 'condition', when: 'where' },
  delete: { when: 'confirmations' },
  'delete/confirmations/[]': { if: 'where' },
  copy: { keeps: 'originalField', resets: 'resetFields' },
  'noOverlap/[]': { per: 'partitionBy' },
  timer: { of: 'relation' },
  choices: { always: 'alwaysShowDetail' },
  list: { empty: 'emptyText' },
  'list/columns/[]': { below: 'secondLine' },
  'list/columns/[]/parts/[]': { rest: 'isRemainder' },
  'list/filters/*': { many: 'multiple' },
  'list/kanban': { late: 'overdue' },
  'list/charts/[]': { by: 'series' },
  'list/group': { by: 'field' },
  'list/actions/[]/calls': { many: 'idsProperty', needs: 'permission' },
  'list/highlight/[]': { when: 'where' },
  'form/tabs/[]': { list: 'resource', query: 'filter' },
  'form/redirects/[]': { after: 'mode', when: 'where' },
  'page/stream/[]': { at: 'time', by: 'person', list: 'resource', query: 'filter' },
  'requests/*': { ignored: 'ignoredNames' },
  'requests/*/list': { query: 'filter' },
  'parameters/*': { named: 'conditions', to: 'resource' },
  'rules/[]': { except: 'exceptFields' },
  'import/tools/[]': { when: 'headings' },
};

/** Names that depend on the type of a field. */
const renamedByType: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  duration: { to: 'endField' },
  rows: { min: 'minItems' },
};

interface Edit {
  offset: number;
  length: number;
  text: string;
}

/**
 * Gives the keys of a definition, or of an extension of one, their present names, wherever its text can be read; everything
 * else stays as it was typed.
 *
 * @example renameKeys('{ "name": "orders", "when": [] }'); // '{ "name": "orders", "automations": [] }'
 */
export function renameKeys(text: string): string {
  const root = parseTree(text);
  if (!root) return text;
  const edits: Edit[] = [];
  visit(root, [], edits);
  return edits
    .sort((left, right) => right.offset - left.offset)
    .reduce(
      (result, { offset, length, text: name }) => result.slice(0, offset) + name + result.slice(offset + length),
      text,
    );
}

function visit(node: Node, path: readonly string[], edits: Edit[]): void {
  if (node.type === 'array') {
    (node.children ?? []).forEach((entry) => visit(entry, [...path, '[]'], edits));
    return;
  }
  if (node.type !== 'object') return;
  const names = namesAt(path, valueOf(node, 'type'));
  for (const property of node.children ?? []) {
    const [key, value] = property.children ?? [];
    if (!key || !value) continue;
    const formerName = String(key.value);
    const name = path.at(-1) === '$if' && formerName === 'when' ? 'condition' : presentName(names, formerName);
    if (name !== formerName) edits.push({ offset: key.offset, length: key.length, text: JSON.stringify(name) });
    if (path.length === 0 && name === 'remove') renamePointers(value, edits);
    visit(value, [...path, name], edits);
  }
}

/** The names that keys of the object at a path had, with their present ones. */
function namesAt(path: readonly string[], type: unknown): Readonly<Record<string, string>> {
  // Columns of rows are described as fields are.
  const steps = path[0] === 'fields' && path[2] === 'fields' ? path.slice(2) : path;
  const [keyPlace] = Object.keys(renamedKeys).filter((pattern) =>
    isAt(steps, pattern === '' ? [] : pattern.split('/')),
  );
  if (keyPlace === undefined) return {};
  return { ...renamedKeys[keyPlace], ...(keyPlace === 'fields/*' && renamedByType[String(type)]) };
}

function presentName(names: Readonly<Record<string, string>>, formerName: string): string {
  return ownProperty(names, formerName) ?? formerName;
}

function isAt(path: readonly string[], pattern: readonly string[]): boolean {
  if (path.length === pattern.length)
    return pattern.every((step, index) => (step === '*' ? path[index] !== '[]' : step === path[index]));
  // A single value stands for a list of one.
  return pattern.at(-1) === '[]' && path.at(-1) !== '[]' && isAt([...path, '[]'], pattern);
}

/** The keys of JSON pointers, such as `/fields/started_at/within`. */
function renamePointers(list: Node, edits: Edit[]): void {
  for (const entry of list.children ?? []) {
    if (entry.type !== 'string') continue;
    const steps = String(entry.value).split('/').slice(1);
    const renamedPath: string[] = [];
    for (const step of steps) {
      const path = renamedPath.map((step) => (/^\d+$/.test(step) ? '[]' : step));
      renamedPath.push(presentName(namesAt(path, undefined), step));
    }
    const pointer = `/${renamedPath.join('/')}`;
    if (pointer !== entry.value)
      edits.push({ offset: entry.offset, length: entry.length, text: JSON.stringify(pointer) });
  }
}

function valueOf(node: Node, name: string): unknown {
  const property = (node.children ?? []).find(({ children }) => children?.[0]?.value === name);
  return property?.children?.[1]?.value;
}
