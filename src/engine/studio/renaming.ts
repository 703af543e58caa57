/** Maps field names in a definition's references: to another name, or to null to remove the reference. */
export interface Renaming {
  readonly mapName: (name: string) => string | null;
  /** The resource that the fields belong to. */
  readonly resource: string;
  /** Embeds that go with a field. */
  readonly removedEmbeds: ReadonlySet<string>;
  /** Embeds with records of this resource. */
  readonly ownEmbeds: ReadonlySet<string>;
  /** Fields with related records of this resource. */
  readonly ownRelations: ReadonlySet<string>;
  /** Reports where something was removed, as text. */
  readonly onRemoved: (place: string) => void;
  /** Reports a place that still refers to something removed and needs a decision. */
  readonly onUnresolved: (path: string) => void;
}

/** A field, or a path through an embed. */
export function renamePath(renaming: Renaming, written: string): string | null {
  const dot = written.indexOf('.');
  if (dot < 0) return renaming.mapName(written);
  const embed = written.slice(0, dot);
  if (renaming.removedEmbeds.has(embed)) return null;
  if (!renaming.ownEmbeds.has(embed)) return written;
  const name = renaming.mapName(written.slice(dot + 1));
  return name === null ? null : `${embed}.${name}`;
}

/** A template such as `{first_name} {last_name}`; null if nothing is left of it. */
export function renameTemplate(renaming: Renaming, written: string): string | null {
  let gone = false;
  const text = written.replace(/\{([A-Za-z_][A-Za-z0-9_.]*)\}/g, (_, name: string) => {
    const next = renamePath(renaming, name);
    gone ||= next === null;
    return next === null ? '' : `{${next}}`;
  });
  if (!gone) return text;
  return /\{[A-Za-z_]/.test(text) ? text.replace(/ {2,}/g, ' ').trim() : null;
}

/** `$record.name` and `$form.name`; any other value is unchanged. */
export function renameVariable(renaming: Renaming, value: unknown, roots = ['$record', '$form']): unknown {
  if (typeof value !== 'string') return value;
  const [root, name] = [value.slice(0, value.indexOf('.')), value.slice(value.indexOf('.') + 1)];
  if (!value.includes('.') || !roots.includes(root)) return value;
  const next = renaming.mapName(name);
  return next === null ? null : `${root}.${next}`;
}

/** Names in a list. */
export function renameNames(renaming: Renaming, list: readonly string[]): string[] {
  return list.flatMap((name) => renaming.mapName(name) ?? []);
}

/** Renames the keys of an object; entries of removed names are removed. */
export function renameKeys<T>(renaming: Renaming, object: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(
    Object.entries(object).flatMap(([key, value]) => {
      const next = renaming.mapName(key);
      return next === null ? [] : [[next, value]];
    }),
  );
}

/** Replaces the values of some keys of an object; null removes a key, which is reported as `place`. */
export function replaceValues<T extends object>(
  renaming: Renaming,
  object: T,
  place: string | Readonly<Record<string, string>>,
  made: { readonly [K in keyof T]?: (value: NonNullable<T[K]>) => unknown },
): T {
  const replaceEntries = Object.entries(object).flatMap(([key, value]): [string, unknown][] => {
    const make = (made as Record<string, ((value: unknown) => unknown) | undefined>)[key];
    if (!make || value === undefined || value === null) return [[key, value]];
    const next = make(value);
    if (next === null || JSON.stringify(next) !== JSON.stringify(value))
      renaming.onRemoved(typeof place === 'string' ? place : (place[key] ?? ''));
    return next === null ? [] : [[key, next]];
  });
  return Object.fromEntries(replaceEntries) as T;
}

/** Replaces the entries of a list; null removes one. Null if none is left. */
export function entries<T>(list: readonly T[], make: (entry: T) => T | null): T[] | null {
  const made = list.map(make).filter((entry) => entry !== null);
  return made.length === 0 && list.length > 0 ? null : made;
}

/** Null for an empty object or list. */
export function nullIfEmpty<T extends object>(object: T): T | null {
  return (Array.isArray(object) ? object.length : Object.keys(object).length) === 0 ? null : object;
}
