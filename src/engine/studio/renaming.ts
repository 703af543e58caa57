/** What becomes of a field's name wherever a definition says it: another name, or null where what says it goes. */
export interface Renaming {
  readonly name: (name: string) => string | null;
  /** The resource whose own fields these are. */
  readonly resource: string;
  /** Embeds that go with a field. */
  readonly goneEmbeds: ReadonlySet<string>;
  /** Embeds whose records are of this resource too. */
  readonly ownEmbeds: ReadonlySet<string>;
  /** Fields whose related records are of this resource too. */
  readonly ownRelations: ReadonlySet<string>;
  /** Notes where something went, in words. */
  readonly told: (place: string) => void;
  /** Notes a place that still names what went, and has to be decided by somebody. */
  readonly open: (path: string) => void;
}

/** A field, or a path through an embed. */
export function path(renaming: Renaming, written: string): string | null {
  const dot = written.indexOf('.');
  if (dot < 0) return renaming.name(written);
  const embed = written.slice(0, dot);
  if (renaming.goneEmbeds.has(embed)) return null;
  if (!renaming.ownEmbeds.has(embed)) return written;
  const name = renaming.name(written.slice(dot + 1));
  return name === null ? null : `${embed}.${name}`;
}

/** A template such as `{first_name} {last_name}`; null where nothing of it is left. */
export function template(renaming: Renaming, written: string): string | null {
  let gone = false;
  const text = written.replace(/\{([A-Za-z_][A-Za-z0-9_.]*)\}/g, (_, name: string) => {
    const next = path(renaming, name);
    gone ||= next === null;
    return next === null ? '' : `{${next}}`;
  });
  if (!gone) return text;
  return /\{[A-Za-z_]/.test(text) ? text.replace(/ {2,}/g, ' ').trim() : null;
}

/** `$record.name` and `$form.name`; every other value stands for itself. */
export function variable(renaming: Renaming, value: unknown, roots = ['$record', '$form']): unknown {
  if (typeof value !== 'string') return value;
  const [root, name] = [value.slice(0, value.indexOf('.')), value.slice(value.indexOf('.') + 1)];
  if (!value.includes('.') || !roots.includes(root)) return value;
  const next = renaming.name(name);
  return next === null ? null : `${root}.${next}`;
}

/** Names in a list. */
export function names(renaming: Renaming, list: readonly string[]): string[] {
  return list.flatMap((name) => renaming.name(name) ?? []);
}

/** The keys of an object that are names; what belongs to one that goes, goes along. */
export function named<T>(renaming: Renaming, object: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(
    Object.entries(object).flatMap(([key, value]) => {
      const next = renaming.name(key);
      return next === null ? [] : [[next, value]];
    }),
  );
}

/** An object with some keys made anew in their places; null takes a key away, and that is told as `place`. */
export function keys<T extends object>(
  renaming: Renaming,
  object: T,
  place: string | Readonly<Record<string, string>>,
  made: { readonly [K in keyof T]?: (value: NonNullable<T[K]>) => unknown },
): T {
  const entries = Object.entries(object).flatMap(([key, value]): [string, unknown][] => {
    const make = (made as Record<string, ((value: unknown) => unknown) | undefined>)[key];
    if (!make || value === undefined || value === null) return [[key, value]];
    const next = make(value);
    if (next === null || JSON.stringify(next) !== JSON.stringify(value))
      renaming.told(typeof place === 'string' ? place : (place[key] ?? ''));
    return next === null ? [] : [[key, next]];
  });
  return Object.fromEntries(entries) as T;
}

/** A list whose entries are made anew; null takes one away. Null where none is left. */
export function entries<T>(list: readonly T[], make: (entry: T) => T | null): T[] | null {
  const made = list.map(make).filter((entry) => entry !== null);
  return made.length === 0 && list.length > 0 ? null : made;
}

/** Null for what has nothing left in it. */
export function filled<T extends object>(object: T): T | null {
  return (Array.isArray(object) ? object.length : Object.keys(object).length) === 0 ? null : object;
}
