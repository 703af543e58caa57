import type { Definition, ResourceRecord } from '../definitions/definition';
import { templateFields } from '../definitions/labels';
import { isStoredRelation } from '../field-types/relation';
import { parentFieldsOf } from '../forms/dependent-fields';
import { isEmpty } from '../values/is-empty';
import { branchValues, type TreeNode } from './tree';

/** A branch of the tree beside a list: the definition of its records, all of them, and the id of the chosen one. */
export interface ListBranch {
  readonly target: Definition;
  readonly nodes: readonly TreeNode[];
  readonly id: number;
}

/**
 * The field whose text the line below a list asks for: the one that is the title of a record; undefined if its title is made of
 * several.
 *
 * @example quickAddField(testCases); // 'name'
 */
export function quickAddField({ recordTitle, fields }: Definition): string | undefined {
  const names = templateFields(recordTitle);
  const [name = ''] = names;
  const field = fields[name];
  return names.length === 1 && field && !field.readOnly && field.computed === undefined ? name : undefined;
}

/**
 * The values of a record that is added by its title below a list: those that the filters and the branch name, and the kept ones
 * that depend on no other field. Undefined if a required one is not among them.
 *
 * @example quickAddValues(testCases, { project_id: 7 }, undefined, { priority_id: 2 }); // { project_id: 7, priority_id: 2 }
 */
export function quickAddValues(
  definition: Definition,
  filters: Readonly<ResourceRecord>,
  branch: ListBranch | undefined,
  keptValues: Readonly<ResourceRecord>,
): ResourceRecord | undefined {
  const { fields, form, list } = definition;
  const title = quickAddField(definition);
  if (title === undefined) return undefined;
  const values: ResourceRecord = {};
  const set = (name: string, value: unknown) => {
    const field = fields[name];
    if (field && !field.readOnly && field.computed === undefined && !isEmpty(value)) values[name] = value;
  };
  for (const [name, value] of Object.entries(filters)) {
    const field = fields[name];
    const singleValue = Array.isArray(value) ? (value.length === 1 ? value[0] : undefined) : value;
    if (field && (isStoredRelation(field) || field.options) && typeof singleValue !== 'object') set(name, singleValue);
  }
  if (branch) {
    // A required relation of the branch to a record is one of what is added in it, too.
    for (const [name, value] of Object.entries(nodeOf(branch)?.values ?? {})) {
      const resource = branch.target.fields[name]?.to;
      const ownField = Object.values(fields).find(
        (field) => isStoredRelation(field) && field.required && field.to === resource,
      );
      if (ownField) set(ownField.name, value);
    }
    for (const [name, value] of Object.entries(branchValues(list.tree ?? [], branch.nodes, branch.id)))
      set(name, value);
  }
  for (const name of form.keep ?? []) {
    const field = fields[name];
    if (field && !(name in values) && parentFieldsOf(field).length === 0) set(name, keptValues[name]);
  }
  const isMissing = Object.values(fields).some(
    (field) =>
      (field.required || field.requiredInForm) &&
      !field.system &&
      field.name !== title &&
      !(field.name in values) &&
      field.default === undefined,
  );
  return isMissing ? undefined : values;
}

const nodeOf = ({ nodes, id }: ListBranch) => nodes.find((node) => node.id === id);
