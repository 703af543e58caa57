import type { Definition } from '../definitions/definition';

/**
 * The order of records in selects and board columns: the order of their list if it is meaningful (priorities by
 * urgency), otherwise by title. Newest first is not a meaningful order.
 *
 * @example choiceOrder(priorities); // { field: 'id', order: 'ASC' }
 */
export function choiceOrder({ fields, titleField, list }: Definition): Definition['list']['sort'] {
  const { field, order } = list.sort;
  if (order === 'ASC' || !(fields[field]?.system ?? true)) return list.sort;
  return { field: fields[titleField]?.sortable ? titleField : 'id', order: 'ASC' };
}
