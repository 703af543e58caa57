/**
 * The order of names that two sides hold, both from the same base: the shipped one's, with what was added here behind
 * what it stands behind; or, where the order was changed here, that one with what was shipped newly.
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
