import { useCallback } from 'react';
import { realUser } from '../../../engine/access/actor';
import type { ResourceRecord } from '../../../engine/definitions/definition';
import { quickAddField, quickAddValues, type ListBranch } from '../../../engine/lists/quick-add';
import { useMayAdd } from '../../actions/useMayAdd';
import { useDefinitions } from '../../data/DefinitionsContext';
import { keptValues } from '../../form/keptStore';
import { useResourceList } from '../ResourceList';

/** A record that is added by its title: its other values, and the field of the title. */
export interface AddedValues {
  readonly values: ResourceRecord;
  readonly title: string;
}

/** Returns a function for the values of a record that is added to the list by its title, with these values besides; undefined where none can be added so. */
export function useAddedValues(): (givenValues: ResourceRecord, branch?: ListBranch) => AddedValues | undefined {
  const {
    definition,
    state: { filters },
    fixedValues,
  } = useResourceList();
  const { actor } = useDefinitions();
  const isOffered = useMayAdd(definition) && !actor.viewer && filters.archive !== 1;
  const person = realUser(actor).id;
  return useCallback(
    (givenValues, branch) => {
      const title = quickAddField(definition);
      if (!isOffered || title === undefined) return undefined;
      const keptFields = keptValues(person, definition.name);
      const values = quickAddValues(definition, { ...filters, ...fixedValues, ...givenValues }, branch, keptFields);
      return values && { values, title };
    },
    [definition, filters, fixedValues, isOffered, person],
  );
}
