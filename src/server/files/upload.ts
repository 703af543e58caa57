/** A file as it was sent, before anything of it is stored. Its bytes are read by `bytes()` alone, so that nothing copies or prints them. */
export class Upload {
  readonly name: string;
  readonly size: number;
  /** The key under which it was stored, once it was. */
  key?: string;
  readonly #bytes: Uint8Array;

  constructor(name: string, bytes: Uint8Array) {
    this.name = plainName(name);
    this.size = bytes.length;
    this.#bytes = bytes;
  }

  bytes(): Uint8Array {
    return this.#bytes;
  }
}

const longest = 150;

/** The name without folders and what no file system shows; the end stays, where it is too long. */
function plainName(name: string): string {
  const plain = name
    .split(/[\\/]/)
    .at(-1)!
    .replace(/[\p{Cc}\p{Cf}\p{Surrogate}]/gu, '')
    .trim();
  return plain.slice(-longest) || 'file';
}
