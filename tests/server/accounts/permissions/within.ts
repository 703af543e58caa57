type Part = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Part =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const idOf = (value: unknown) => (isObject(value) ? (value.id ?? value.key) : undefined);

/**
 * The places at which an answer says more than another one: a key or a record that the other has not, a higher count.
 * `ignored` keys are not looked into.
 */
export function beyond(part: unknown, whole: unknown, ignored: readonly string[] = [], path = ''): string[] {
  if (Array.isArray(part)) {
    if (!Array.isArray(whole)) return [path];
    const others = new Map(whole.map((one) => [idOf(one), one as unknown]));
    return part.flatMap((one) => {
      const id = idOf(one);
      if (id === undefined) return [];
      const other = others.get(id);
      return other === undefined ? [`${path}[${String(id)}]`] : beyond(one, other, ignored, `${path}[${String(id)}]`);
    });
  }
  if (isObject(part)) {
    if (!isObject(whole)) return [path];
    return Object.entries(part).flatMap(([key, value]) => {
      if (ignored.includes(key)) return [];
      if (!(key in whole)) return [`${path}.${key}`];
      const isCount = typeof value === 'number' && (key === 'count' || key === 'total' || key.endsWith('_count'));
      if (isCount) return value <= Number(whole[key]) ? [] : [`${path}.${key}`];
      return beyond(value, whole[key], ignored, `${path}.${key}`);
    });
  }
  return [];
}
