/** The circles among files that import each other, each as the way around; one for each knot. */
export function circles(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const found: string[][] = [];
  const done = new Set<string>();
  const way: string[] = [];

  const visit = (file: string): void => {
    const start = way.indexOf(file);
    if (start >= 0) {
      found.push([...way.slice(start), file]);
      return;
    }
    if (done.has(file)) return;
    way.push(file);
    for (const imported of imports.get(file) ?? []) visit(imported);
    way.pop();
    done.add(file);
  };

  for (const file of imports.keys()) visit(file);
  return found;
}
