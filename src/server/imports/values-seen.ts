import type { ResourceRecord } from '../../engine/definitions/definition';
import { longestMeant, plainValue } from '../../engine/imports/meanings';

/** How it came that a value means what it does; null: it means nothing that can be stored. */
export type MeantBy = 'exact' | 'word' | 'hand' | 'memory' | null;

/** A value of a column that is looked up: in how many records it is, and what it means. */
export interface SeenValue {
  readonly text: string;
  readonly count: number;
  /** The title or label of what it means, and the id or value; null: nothing. */
  readonly means: string | null;
  readonly id: number | string | null;
  readonly by: MeantBy;
  /** The values that the choices depend on, as the first record that says it has them. */
  readonly form: ResourceRecord;
}

type Meant = Pick<SeenValue, 'means' | 'id' | 'by'>;

/** Values of one column that are told apart. */
const mostValues = 300;

/** The values of columns that are looked up, while a file is checked. */
export class ValuesSeen {
  private readonly columns = new Map<number, Map<string, { -readonly [Key in keyof SeenValue]: SeenValue[Key] }>>();

  /** A record says `text` in a column. What means nothing in one record is said to mean nothing. */
  add(column: number, text: string, { means, id, by }: Meant, form: ResourceRecord): void {
    if (text.length > longestMeant) return;
    let values = this.columns.get(column);
    if (!values) this.columns.set(column, (values = new Map()));
    const key = plainValue(text);
    const known = values.get(key);
    if (!known) {
      if (values.size < mostValues) values.set(key, { text, count: 1, means, id, by, form });
      return;
    }
    known.count++;
    if (by === null && known.by !== null) Object.assign(known, { means, id, by, form });
  }

  /** The values of a column, those that mean nothing first, each group in the order of the file. */
  of(column: number): readonly SeenValue[] {
    const values = [...(this.columns.get(column)?.values() ?? [])];
    return [...values.filter(({ by }) => by === null), ...values.filter(({ by }) => by !== null)];
  }
}
