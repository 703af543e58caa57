import type { Definition, ResourceRecord } from '../../../src/engine/definitions/definition';
import { titleOf } from '../../../src/app/chips/titleOf';
import { pageOfChoices } from '../../../src/app/choices/loadChoices';
import type { Choice, ChoiceSource } from '../../../src/app/choices/choice';
import { dataProvider } from '../../../src/app/admin/dataProvider';

/** All records of a resource that the user may list, as choices. */
export function recordSource(target: Definition): ChoiceSource {
  const list = async (filter: ResourceRecord): Promise<readonly Choice[]> => {
    const { data } = await dataProvider.getList(target.name, {
      filter,
      pagination: { page: 1, perPage: pageOfChoices },
      sort: { field: target.fields[target.titleField]?.sortable ? target.titleField : 'id', order: 'ASC' },
    });
    return data.map((record) => ({ id: record.id, title: titleOf(target, record) }));
  };
  return {
    key: ['studio', target.name],
    load: (text) => list(text ? { q: text } : {}),
    find: (ids) => list({ id: ids }),
    target,
  };
}
