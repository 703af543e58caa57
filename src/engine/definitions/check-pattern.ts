import { partsOf, type Part } from './pattern-parts';

/** Characters of a pattern, written out: every place counts. */
const MOST_PLACES = 200;
/** Steps of the judgement itself. */
const MOST_STEPS = 1_000_000;
/** Times that are written out; more of them are judged like times without end. */
const MOST_TIMES = 20;

/**
 * Whether a pattern could take time without end on a short text: where a text can be gone through in two ways over and
 * over again, as with `(a+)+`, each further character doubles the time. True also for what is too large to be judged.
 */
export function isEndless(pattern: string): boolean {
  const whole = partsOf(pattern);
  if (!whole) return true;
  const graph = new Graph();
  try {
    graph.build(whole);
  } catch (error) {
    if (error instanceof TooLarge) return true;
    throw error;
  }
  return graph.isAmbiguous();
}

class TooLarge extends Error {}

/** The places at which a part may begin and end, and whether it may be empty. */
interface Piece {
  readonly first: readonly number[];
  readonly last: readonly number[];
  readonly empty: boolean;
}

const nothing: Piece = { first: [], last: [], empty: true };

/** The places of characters, and which may follow which. Ways that come twice are remembered: each is a way of its own. */
class Graph {
  private readonly characters: RegExp[] = [];
  private readonly next: Map<number, number>[] = [];

  build(part: Part): Piece {
    switch (part.kind) {
      case 'nothing':
        return nothing;
      case 'look':
        this.build(part.of);
        return nothing;
      case 'characters':
        return this.place(part.source);
      case 'choice':
        return part.of.map((one) => this.build(one)).reduce((a, b) => ({ first: [...a.first, ...b.first], last: [...a.last, ...b.last], empty: a.empty || b.empty })); // prettier-ignore
      case 'sequence':
        return part.of.reduce<Piece>((before, one) => this.join(before, this.build(one)), nothing);
      case 'repeat':
        return this.repeat(part);
    }
  }

  private place(source: string): Piece {
    if (this.next.length >= MOST_PLACES) throw new TooLarge();
    this.characters.push(new RegExp(`^(?:${source === '.' ? '[^\\n\\r]' : source})$`, 'u'));
    const at = this.next.push(new Map()) - 1;
    return { first: [at], last: [at], empty: false };
  }

  private repeat({ of, least, most }: Extract<Part, { kind: 'repeat' }>): Piece {
    if (least > (isOpen(of) ? 3 : MOST_TIMES)) return this.repeat({ kind: 'repeat', of, least: 1, most: Infinity });
    if (most !== Infinity && most - least > MOST_TIMES)
      return this.repeat({ kind: 'repeat', of, least, most: Infinity });
    let before = nothing;
    for (let time = 0; time < least; time++) before = this.join(before, this.build(of));
    let after = nothing;
    if (most === Infinity) {
      after = { ...this.build(of), empty: true };
      this.link(after.last, after.first);
    } else {
      for (let time = least; time < most; time++) after = { ...this.join(this.build(of), after), empty: true };
    }
    return this.join(before, after);
  }

  private join(a: Piece, b: Piece): Piece {
    this.link(a.last, b.first);
    return {
      first: a.empty ? [...a.first, ...b.first] : a.first,
      last: b.empty ? [...a.last, ...b.last] : b.last,
      empty: a.empty && b.empty,
    };
  }

  private link(from: readonly number[], to: readonly number[]): void {
    for (const a of from) for (const b of to) this.next[a]!.set(b, (this.next[a]!.get(b) ?? 0) + 1);
  }

  /**
   * Whether one text leads from a place back to itself in two ways. Two walkers go over the places, one text for both:
   * where they part and can be together again in a circle, there are two.
   */
  isAmbiguous(): boolean {
    const size = this.next.length;
    const reach = this.next.map((_, at) => this.reachedFrom(at));
    for (let at = 0; at < size; at++) {
      for (const [to, ways] of this.next[at]!) if (ways > 1 && reach[to]!.has(at)) return true;
      if (this.partsAndReturns(at, reach)) return true;
    }
    return false;
  }

  private reachedFrom(start: number): Set<number> {
    const seen = new Set<number>();
    const waiting = [start];
    while (waiting.length > 0) {
      for (const to of this.next[waiting.pop()!]!.keys()) if (!seen.has(to) && seen.add(to)) waiting.push(to);
    }
    return seen;
  }

  private partsAndReturns(start: number, reach: readonly Set<number>[]): boolean {
    if (!reach[start]!.has(start)) return false;
    const size = this.next.length;
    const seen = new Set<number>();
    const waiting: (readonly [number, number])[] = [[start, start]];
    for (let first = true; waiting.length > 0; first = false) {
      const [a, b] = waiting.pop()!;
      for (const x of this.next[a]!.keys()) {
        for (const y of this.next[b]!.keys()) {
          if (++this.steps > MOST_STEPS) return true;
          // They part at once: where they part later, the search that begins there finds it.
          if ((first && x === y) || !reach[x]!.has(start) || !reach[y]!.has(start)) continue;
          if (!this.overlap(x, y)) continue;
          if (x === start && y === start) return true;
          const pair = x * size + y;
          if (!seen.has(pair)) waiting.push([x, y]);
          seen.add(pair);
        }
      }
    }
    return false;
  }

  private steps = 0;
  private readonly known = new Map<string, boolean>();

  /** Whether some character fits both places. */
  private overlap(a: number, b: number): boolean {
    const [one, other] = [this.characters[a]!, this.characters[b]!];
    if (one.source === other.source) return true;
    const key = [one.source, other.source].sort().join('\0');
    let found = this.known.get(key);
    if (found === undefined) this.known.set(key, (found = probes.some((text) => one.test(text) && other.test(text))));
    return found;
  }
}

/** Whether a part repeats something without end. */
function isOpen(part: Part): boolean {
  if (part.kind === 'repeat') return part.most === Infinity || isOpen(part.of);
  return (part.kind === 'sequence' || part.kind === 'choice') && part.of.some(isOpen);
}

/** One text for each character that patterns tell apart: the plain ones, and one of each further alphabet. */
const probes: readonly string[] = [
  ...Array.from({ length: 0x250 }, (_, code) => String.fromCodePoint(code)),
  'Ω', 'ж', 'ش', 'א', 'क', '中', 'あ', '가', '€', '™', '→', '—', '…', '\u2028', '\u3000', '\ufeff', '😀', '٣', '²', 'Ⅳ',
]; // prettier-ignore
