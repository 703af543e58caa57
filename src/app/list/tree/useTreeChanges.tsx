import { useQueryClient } from '@tanstack/react-query';
import { decideAccess, grantedFields } from '../../../engine/access/access-decision';
import type { Definition, Field, ResourceRecord } from '../../../engine/definitions/definition';
import { columnTypeOf, fieldTypeOf } from '../../../engine/field-types';
import { isRelation, treeParent } from '../../../engine/field-types/relation';
import { requireValue } from '../../../engine/values/lookups';
import type { TreeNode } from '../../../engine/lists/tree';
import { useDefinitions } from '../../data/DefinitionsContext';
import { reportError } from '../../data/ErrorToasts';
import { useChangeToast } from '../../commands/useChangeToast';
import { useOpenDialog } from '../../dialogs/openDialog';
import { refreshAfterSaving } from '../../data/refreshAfterSaving';
import { fetchApi } from '../../session/api';
import { useApi } from '../../session/apiClient';
import { withFieldErrors } from '../../session/apiError';
import { mayAdd } from '../../actions/useMayAdd';

interface Stored {
  readonly id?: number;
  readonly updated_at?: unknown;
  readonly data?: { readonly id: number; readonly updated_at?: unknown };
}

/** The actions on the records of a tree; one that the user has no permission for is undefined. */
export interface TreeChanges {
  /** Whether a record below another, or at the top, needs a title alone; otherwise `addInForm` opens a form. */
  readonly needsTitleOnly: (parent: TreeNode | null) => boolean;
  readonly add?: (parent: TreeNode | null, title: string) => Promise<boolean>;
  readonly addInForm: (parent: TreeNode | null) => void;
  readonly rename?: (node: TreeNode, title: string) => Promise<boolean>;
  readonly move?: (node: TreeNode, parent: TreeNode | null) => Promise<boolean>;
  readonly openForm?: (node: TreeNode) => void;
}

/**
 * Changes the records of a tree through their own API. Each change offers to be taken back; one that is refused says why.
 * `filter` is that of the list: what it fixes, a new record at the top has too.
 */
export function useTreeChanges(list: Definition, target: Definition, filter: Readonly<ResourceRecord>): TreeChanges {
  const { actor } = useDefinitions();
  const ask = useApi();
  const say = useChangeToast();
  const queryClient = useQueryClient();
  const open = useOpenDialog();
  const parentField = requireValue(treeParent(target), `the tree of ${target.name}`).name;
  const { titleField } = target;
  const mayEdit = decideAccess(actor, target, 'edit').allowed;
  const writable = (name: string, action: 'create' | 'edit') =>
    grantedFields(actor, target, action).has(name) && target.fields[name]?.readOnly !== true;
  const isTitled = target.recordTitle === `{${titleField}}` && isTitle(target.fields[titleField]);
  const refresh = () =>
    Promise.all([target.name, list.name].map((resource) => refreshAfterSaving(queryClient, resource)));
  const send = async (method: string, path: string, json?: object) => {
    const answer = await fetchApi<Stored>(`/${target.name}${path}`, { method, json }, ask);
    return answer.data ?? answer;
  };
  const attempt = async (work: () => Promise<void>) => {
    try {
      await work();
      return true;
    } catch (error) {
      reportError(withFieldErrors(error as Error));
      return false;
    } finally {
      await refresh();
    }
  };
  const presetOf = (parent: TreeNode | null): ResourceRecord => {
    if (parent) return { ...parent.values, [parentField]: parent.id };
    const sharedFields = Object.values(target.fields).filter(
      (field) =>
        field.to !== undefined && field.to === list.fields[field.name]?.to && typeof filter[field.name] === 'number',
    );
    return Object.fromEntries(sharedFields.map(({ name }) => [name, filter[name]]));
  };
  /** Changes some values; `words` say what was done, and `previousValues` take it back. */
  const change = (node: TreeNode, values: ResourceRecord, previousValues: ResourceRecord, words: string) =>
    attempt(async () => {
      const { updated_at } = await send('PUT', `/${node.id}`, values);
      say(
        words,
        () =>
          void attempt(async () => {
            await send('PUT', `/${node.id}`, { ...previousValues, updated_at });
            say(`Taken back: ${words}`);
          }),
      );
    });
  return {
    needsTitleOnly: (parent) => {
      const preset = presetOf(parent);
      const requiredFields = Object.values(target.fields).filter(
        (field) =>
          field.required === true &&
          field.name !== titleField &&
          !field.system &&
          field.default === undefined &&
          (!isRelation(field) || field.initial === undefined),
      );
      return isTitled && requiredFields.every(({ name }) => preset[name] !== undefined && preset[name] !== null);
    },
    ...(mayAdd(actor, target) &&
      writable(parentField, 'create') && {
        add: (parent, title) =>
          attempt(async () => {
            const { id } = await send('POST', '', { ...presetOf(parent), [titleField]: title });
            say(
              `${title} added`,
              () =>
                void attempt(async () => {
                  await send('DELETE', `/${id}`);
                  say(`${title} deleted`);
                }),
            );
          }),
      }),
    addInForm: (parent) =>
      open({
        kind: 'form',
        definition: target,
        mode: 'create',
        preset: presetOf(parent),
        onSaved: () => void refresh(),
      }),
    ...(mayEdit &&
      isTitled &&
      writable(titleField, 'edit') && {
        rename: (node, title) =>
          change(node, { [titleField]: title }, { [titleField]: node.title }, `${node.title} renamed to ${title}`),
      }),
    ...(mayEdit &&
      writable(parentField, 'edit') && {
        move: (node, parent) =>
          change(
            node,
            { [parentField]: parent?.id ?? null },
            { [parentField]: node.parent },
            parent ? `${node.title} moved to ${parent.title}` : `${node.title} moved to the top level`,
          ),
      }),
    ...(mayEdit && {
      openForm: (node) =>
        open({ kind: 'form', definition: target, mode: 'edit', id: String(node.id), onSaved: () => void refresh() }),
    }),
  };
}

/** Whether a field is a line of text, as it can be written in the tree. */
function isTitle(field: Field | undefined): boolean {
  if (!field || field.options !== undefined) return false;
  const { hasMarkup, fitsCell } = fieldTypeOf(field);
  return columnTypeOf(field) === 'text' && !hasMarkup && fitsCell === true;
}
