import { itemAt } from '../values/lookups';

/**
 * Merges the order of names of two sides with the same base: the shipped order with local additions after their
 * predecessors; or, if the order was changed locally, that order with the shipped additions.
 */
export function mergeOrder(
  base: readonly string[],
  shippedOrder: readonly string[],
  changedOrder: readonly string[],
): string[] {
  const [frame, otherOrder] = keepsOrder(base, changedOrder)
    ? [shippedOrder, changedOrder]
    : [changedOrder, shippedOrder];
  const order = [...frame];
  const placedNames = new Set(frame);
  otherOrder.forEach((name, index) => {
    if (placedNames.has(name)) return;
    placedNames.add(name);
    order.splice(index === 0 ? 0 : order.indexOf(itemAt(otherOrder, index - 1)) + 1, 0, name);
  });
  return order;
}

function keepsOrder(base: readonly string[], side: readonly string[]): boolean {
  const [baseNames, sideNames] = [
    base.filter((name) => side.includes(name)),
    side.filter((name) => base.includes(name)),
  ];
  return baseNames.every((name, index) => name === sideNames[index]);
}
