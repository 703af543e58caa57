import type { Definition } from '../definitions/definition';

/**
 * The order in which records of a resource are offered, in selects and as the columns of boards: that of their list where
 * it is one of its own (priorities by urgency), otherwise by their titles. Lists that begin with what is new are none.
 */
export function choiceOrder({ fields, titleField, list }: Definition): Definition['list']['sort'] {
  const { field, order } = list.sort;
  if (order === 'ASC' || !(fields[field]?.system ?? true)) return list.sort;
  return { field: fields[titleField]?.sortable ? titleField : 'id', order: 'ASC' };
}
