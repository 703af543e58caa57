/**
 * Merges the order of names of two sides with the same base: the shipped order with local additions after their
 * predecessors; or, if the order was changed locally, that order with the shipped additions.
 */
export function mergeOrder(base: readonly string[], shipped: readonly string[], changed: readonly string[]): string[] {
  const [frame, other] = keepsOrder(base, changed) ? [shipped, changed] : [changed, shipped];
  const order = [...frame];
  const placed = new Set(frame);
  other.forEach((name, index) => {
    if (placed.has(name)) return;
    placed.add(name);
    order.splice(index === 0 ? 0 : order.indexOf(other[index - 1]!) + 1, 0, name);
  });
  return order;
}

function keepsOrder(base: readonly string[], side: readonly string[]): boolean {
  const [before, after] = [base.filter((name) => side.includes(name)), side.filter((name) => base.includes(name))];
  return before.every((name, index) => name === after[index]);
}
