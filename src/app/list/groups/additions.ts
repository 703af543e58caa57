import { useCallback } from 'react';
import type { RaRecord } from 'react-admin';
import { unwrapId } from '../../../engine/conditions/variables';
import { fieldOf } from '../../../engine/definitions/accessors';
import { isStoredRelation } from '../../../engine/field-types/relation';
import { ancestorFieldsOf } from '../../../engine/forms/ancestor-fields';
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
/** Returns the values of a record that is added to a group, of which these are the records on the page; undefined where none can be added. */
export type AdditionOf = (group: ListGroup, records: readonly RaRecord[]) => Addition | undefined;

/** Adds to the groups of a list, where a group is a value that a new record can have. */
export function useAdditions(grouping: Grouping | undefined): AdditionOf {
  const { definition } = useResourceList();
  const valuesOf = useAddedValues();
  return useCallback(
    (group, records) => {
      const field = grouping && fieldOf(definition, grouping.field);
      const isSettable = field && !field.readOnly && field.computed === undefined;
      if (!definition.list.quickAdd || !isSettable || !(isStoredRelation(field) || field.options)) return undefined;
      if (group.key === '') return undefined;
      // Values on which the choices of the field depend are known only where all records have the same.
      const parentValues = ancestorFieldsOf(definition.fields, field).map(
        (name) => [name, sharedValue(records, name)] as const,
      );
      if (parentValues.some(([, value]) => isEmpty(value))) return undefined;
      const addedValues = valuesOf({ ...Object.fromEntries(parentValues), [field.name]: group.value });
      return addedValues && { ...addedValues, target: groupTitle(group, grouping, field) };
    },
    [definition, grouping, valuesOf],
  );
}

/** The value that all records have in a field; undefined where they differ. */
function sharedValue(records: readonly RaRecord[], name: string): unknown {
  const values = new Set(records.map((record) => unwrapId(record[name])));
  return values.size === 1 ? [...values][0] : undefined;
}

/** The open group of which a row is the last one on the page, and its records there; undefined: another row follows, or it is closed. */
export function endingGroup(
  rows: readonly GroupedRow<RaRecord>[],
  index: number,
): { readonly group: ListGroup; readonly records: readonly RaRecord[] } | undefined {
  const next = rows[index + 1];
  if (next && !next.group) return undefined;
  const rowsUpToHere = rows.slice(0, index + 1);
  const headingIndex = rowsUpToHere.findLastIndex((row) => row.group);
  const heading = rowsUpToHere[headingIndex];
  if (!heading?.group || heading.isClosed) return undefined;
  return { group: heading.group, records: rowsUpToHere.slice(headingIndex + 1).flatMap((row) => row.record ?? []) };
}
