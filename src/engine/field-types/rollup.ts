import type { FieldType } from './field-type';
import { lookup } from './lookup';

/**
 * A value of all records that point here, or of the record's own rows: their number, a sum, the latest … In a registry
 * the field has the type of that value (`registry/derived-types.ts`), so this type is only how it is written.
 */
export const rollup: FieldType = {
  ...lookup,
  normalise: ({ source = '', aggregate = 'count', field, latestBy, where: condition, digits, of: wholeName }) => {
    const dot = source.indexOf('.');
    return {
      computed: {
        $rollup: {
          ...(dot < 0 ? { rows: source } : { resource: source.slice(0, dot), relation: source.slice(dot + 1) }),
          take: aggregate,
          field,
          // Rows have an order, records have a time.
          by: aggregate === 'latest' ? (latestBy ?? (dot < 0 ? undefined : 'created_at')) : undefined,
          where: condition,
        },
      },
      digits: digits ?? usualDigits[aggregate],
      of: wholeName,
      required: false,
      requiredInForm: false,
    };
  },
  width: 'quarter',
};

/** Decimals of what has none of its own. */
const usualDigits: Readonly<Record<string, number | undefined>> = { count: 0, avg: 2, share: 1 };
