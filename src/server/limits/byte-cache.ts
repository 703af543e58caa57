import { LRUCache } from 'lru-cache';

/** The bytes of an entry beside its key and value: its places in the lists of the cache. */
const entryBytes = 200;

/**
 * Creates a cache by text that holds at most so many bytes: what was used least recently leaves first, and what is larger
 * than the whole cache is not kept. Limits of the number of entries do not limit memory where callers choose what is
 * cached. `sizeOf` tells the bytes of a value, for those that `bytesOf` cannot measure.
 *
 * @example const titles = createByteCache<string>(1_000_000);
 */
export function createByteCache<Value extends object | string | number>(
  maxBytes: number,
  sizeOf: (value: Value) => number = bytesOf,
): LRUCache<string, Value> {
  return new LRUCache({
    maxSize: maxBytes,
    sizeCalculation: (value, key) => entryBytes + bytesOf(key) + Math.ceil(sizeOf(value)),
  });
}

/** The bytes of plain data in memory, nearly: texts, numbers, dates, lists, and objects of these. */
export function bytesOf(value: unknown): number {
  if (typeof value === 'string') return bytesOfText(value);
  if (typeof value !== 'object' || value === null) return 8;
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + 8 + bytesOf(item), 32);
  return Object.values(value).reduce<number>((sum, item) => sum + 8 + bytesOf(item), 48);
}

/**
 * The test for wide characters also makes one piece of a text that was put together from many, as SQL is: the pieces
 * would take several times its length for as long as it is kept.
 */
function bytesOfText(text: string): number {
  return 24 + text.length * (/[^\0-\xff]/.test(text) ? 2 : 1);
}

const textIds = createByteCache<number>(8_000_000);
let lastTextId = 0;

/**
 * A short name for a long text, for keys of caches: the same one as long as the text is used now and then.
 *
 * @example const key = `${textId(statement.sql)} ${values.join()}`;
 */
export function textId(text: string): string {
  let id = textIds.get(text);
  if (id === undefined) textIds.set(text, (id = ++lastTextId));
  return id.toString(36);
}
