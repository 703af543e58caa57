import type { ResourceRecord } from '../../engine/definitions/definition';
import { maxMeaningLength, normaliseValue } from '../../engine/imports/value-meanings';

/** How the meaning of a value was determined; null: it has no valid meaning. */
export type MeaningSource = 'exact' | 'word' | 'hand' | 'memory' | null;

/** A value of a column that is looked up: the number of its records, and its meaning. */
export interface SeenValue {
  readonly text: string;
  readonly count: number;
  /** The title or label of its meaning, and the id or value; null: none. */
  readonly means: string | null;
  readonly id: number | string | null;
  readonly by: MeaningSource;
  /** The values that the choices depend on, from the first record with this value. */
  readonly form: ResourceRecord;
}

type ValueMeaning = Pick<SeenValue, 'means' | 'id' | 'by'>;

/** Maximum number of distinct values per column. */
const maxValues = 300;

/** Collects the values of columns that are looked up while a file is checked. */
export class SeenValues {
  private readonly columns = new Map<number, Map<string, { -readonly [Key in keyof SeenValue]: SeenValue[Key] }>>();

  /** Adds a value of a column. A value without a meaning in one record counts as having none. */
  add(column: number, text: string, { means, id, by }: ValueMeaning, form: ResourceRecord): void {
    if (text.length > maxMeaningLength) return;
    let values = this.columns.get(column);
    if (!values) this.columns.set(column, (values = new Map()));
    const key = normaliseValue(text);
    const known = values.get(key);
    if (!known) {
      if (values.size < maxValues) values.set(key, { text, count: 1, means, id, by, form });
      return;
    }
    known.count++;
    if (by === null && known.by !== null) Object.assign(known, { means, id, by, form });
  }

  /** The values of a column, those without a meaning first, each group in the order of the file. */
  ofColumn(column: number): readonly SeenValue[] {
    const values = [...(this.columns.get(column)?.values() ?? [])];
    return [...values.filter(({ by }) => by === null), ...values.filter(({ by }) => by !== null)];
  }
}
