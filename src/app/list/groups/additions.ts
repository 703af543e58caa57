import { useCallback } from 'react';
import type { RaRecord } from 'react-admin';
import { unwrapId } from '../../../engine/conditions/variables';
import { fieldOf } from '../../../engine/definitions/accessors';
import { isStoredRelation } from '../../../engine/field-types/relation';
import { parentFieldsOf } from '../../../engine/forms/dependent-fields';
import { groupTitle, type GroupedRow, type ListGroup } from '../../../engine/lists/group-rows';
import type { Grouping } from '../../../engine/lists/grouping';
import { isEmpty } from '../../../engine/values/is-empty';
import { lazyComponent } from '../../states/lazyComponent';
import { useAddedValues, type AddedValues } from '../quick-add/useAddedValues';
import { useResourceList } from '../ResourceList';

/** The line by which a record is added to a group. */
export const GroupQuickAdd = lazyComponent(() =>
  import('../quick-add/QuickAdd').then((module) => ({ default: module.QuickAddLine })),
);

/** The values of a record that is added to a group, and the name of the group. */
export type Addition = AddedValues & { readonly target: string };
/** Returns the values of a record that is added to a group, of which this is a record; undefined where none can be added. */
export type AdditionOf = (group: ListGroup, record: RaRecord | undefined) => Addition | undefined;

/** Adds to the groups of a list, where a group is a value that a new record can have. */
export function useAdditions(grouping: Grouping | undefined): AdditionOf {
  const { definition } = useResourceList();
  const valuesOf = useAddedValues();
  return useCallback(
    (group, record) => {
      const field = grouping && fieldOf(definition, grouping.field);
      const isSettable = field && !field.readOnly && field.computed === undefined;
      if (!definition.list.quickAdd || !isSettable || !(isStoredRelation(field) || field.options)) return undefined;
      if (group.key === '') return undefined;
      // The values on which the choices of the field depend are the same for all records of the group.
      const parentValues = parentFieldsOf(field)
        .map((name) => [name, unwrapId(record?.[name])])
        .filter(([, value]) => !isEmpty(value));
      const addedValues = valuesOf({ ...Object.fromEntries(parentValues), [field.name]: group.value });
      return addedValues && { ...addedValues, target: groupTitle(group, grouping, field) };
    },
    [definition, grouping, valuesOf],
  );
}

/** The open group of which a row is the last one on the page, and the record of that row; undefined: another row follows, or it is closed. */
export function endingGroup(
  rows: readonly GroupedRow<RaRecord>[],
  index: number,
): { readonly group: ListGroup; readonly record: RaRecord | undefined } | undefined {
  const next = rows[index + 1];
  if (next && !next.group) return undefined;
  const heading = rows.slice(0, index + 1).findLast((row) => row.group);
  return heading?.group && !heading.isClosed ? { group: heading.group, record: rows[index]?.record } : undefined;
}
