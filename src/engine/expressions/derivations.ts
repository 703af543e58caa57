import type { Condition, Field } from '../definitions/definition';
import { firstOf } from '../values/lookups';

/** The function that a rollup applies to the records that point here, or to the rows of the record. */
export type RollupTake = 'count' | 'sum' | 'avg' | 'min' | 'max' | 'share' | 'latest';

/** A value of the records of another resource that point at this one, or of the record's own rows. */
export type Rollup = (
  | {
      /** The relation on the other side. */
      readonly resource: string;
      readonly relation: string;
      readonly rows?: undefined;
    }
  | {
      /** The field of the record that has the rows. */
      readonly rows: string;
      readonly resource?: undefined;
      readonly relation?: undefined;
    }
) & {
  readonly take: RollupTake;
  /** The field that it takes; none for count and share. */
  readonly field?: string;
  /** latest: the field that says which record is the latest. Of rows without it the last one is. */
  readonly by?: string;
  /** Which of the records count; for share, which of them are counted. */
  readonly where?: Condition;
};

/**
 * The names on the path of a lookup: relations, and a field at the end. The field must be one.
 *
 * @example lookupPath(ownerName); // ['company_id', 'owner_id', 'name']
 */
export function lookupPath({ computed: computation }: Field): readonly string[] {
  return (computation as { readonly $lookup: string }).$lookup.split('.');
}

/**
 * The rollup of a field, which must be one.
 *
 * @example rollupOf(openAmount).take; // 'sum'
 */
export function rollupOf({ computed: computation }: Field): Rollup {
  return (computation as unknown as { readonly $rollup: Rollup }).$rollup;
}

/**
 * The field of the record whose rules decide on a field: for a path of its list, the relation that the path begins with.
 *
 * @example ruledName(deals.fields['company.country.name']!); // 'company_id'
 */
export function ruledName(field: Field): string {
  return field.name.includes('.') ? firstOf(lookupPath(field)) : field.name;
}
