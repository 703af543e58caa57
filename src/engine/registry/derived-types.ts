import { isWide } from '../field-types/number';
import { computedKind } from '../conditions/computed-kind';
import { rollupOf } from '../expressions/derivations';
import {
  lookupTarget,
  placeFields,
  rollupSource,
  type Definitions,
  type PlacedField,
} from '../expressions/placed-fields';
import { plainTypeOf } from '../field-types/lookup';
import { fieldTypeOf, fieldTypes } from '../field-types';
import { commonCurrency } from '../expressions/rollup-currency';
import { isMoney } from '../field-types/money';
import type { Condition, Definition, Field, FieldOf } from '../definitions/definition';

/**
 * The definitions with the types of their lookups and rollups filled in: a lookup of a number is a field of type number, with the
 * decimals of that number. Lists, filters, exports and the API document then treat it like any other. A field whose
 * target does not exist keeps its type; the checks report it.
 */
export function fillDerivedTypes(definitions: Definitions): Definitions {
  const entries = [...definitions.values()].map((definition): [string, Definition] => {
    if (!Object.values(definition.fields).some(isDerived)) return [definition.name, definition];
    const fields = Object.entries(definition.fields).map(([name, field]) => [
      name,
      isDerived(field) ? derive(field, definition, definitions) : field,
    ]);
    return [definition.name, Object.freeze({ ...definition, fields: Object.freeze(Object.fromEntries(fields)) })];
  });
  return new Map(entries);
}

const isDerived = (field: Field) => computedKind(field) === 'lookup' || computedKind(field) === 'rollup';

function derive(
  field: Field,
  owner: Definition,
  definitions: Definitions,
  visitedFields: readonly Field[] = [],
): Field {
  if (visitedFields.includes(field)) return field;
  const source = valueSource(field, owner, definitions);
  if (source === undefined) return field;
  if (source === 'number') return withType(field, 'number', {});
  const rollup = computedKind(field) === 'rollup' ? rollupOf(field) : undefined;
  const { definition, field: target } = source;
  const value = isDerived(target) ? derive(target, definition, definitions, [...visitedFields, field]) : target;
  const type = fieldTypeOf(value);
  if (isMoney(value)) return deriveMoney(field, value, rollup?.where);
  const minutes = type.holds === 'minutes' || value.isMinutes ? { isMinutes: true } : {};
  if (rollup?.take === 'avg') return withType(field, 'number', minutes);
  if (rollup?.take === 'sum')
    return withType(field, 'number', { ...propertiesOf(value, ['decimal', 'digits', 'separators']), ...minutes });
  if (type.isDerived || type.holds === 'time' || type.isHashed)
    return withType(field, plainTypeOf(type) ?? field.type, { digits: value.digits, ...minutes });
  return withType(field, value.type, propertiesOf(value, shownProperties));
}

/** An amount in the currency that all these amounts have; a number if they can have several. */
function deriveMoney(field: Field, amount: FieldOf<'money'>, condition: Condition | undefined): Field {
  const currency = commonCurrency(amount, condition);
  const { digits } = amount;
  return currency === undefined
    ? withType(field, 'number', { decimal: true, digits })
    : withType(field, 'money', { currency, digits });
}

/** The properties that decide how a value looks. */
const shownProperties = [
  'options',
  'integer',
  'decimal',
  'digits',
  'separators',
  'isMinutes',
  'lines',
  'markdown',
] as const;

function propertiesOf(field: Field, keys: readonly (typeof shownProperties)[number][]): object {
  const { min, max } = field;
  return {
    ...Object.fromEntries(keys.map((key) => [key, field[key]])),
    // They decide how many bits its column has.
    ...(field.integer && isWide(field) && { min, max }),
  };
}

/** The field whose values a lookup or rollup has; `number` for counts. */
function valueSource(field: Field, owner: Definition, definitions: Definitions): PlacedField | 'number' | undefined {
  if (computedKind(field) === 'lookup') return lookupTarget({ definition: owner, field }, definitions);
  const { take, field: name } = rollupOf(field);
  if (take === 'count' || take === 'share') return 'number';
  const definition = rollupSource(owner, field, definitions);
  return definition && placeFields(definition, [name])[0];
}

function withType(field: Field, type: Field['type'], properties: object): Field {
  const { sortable, filterable } = fieldTypes[type];
  const ownValues = Object.fromEntries(Object.entries(field).filter(([, value]) => value !== undefined));
  const givenValues = Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== undefined));
  return Object.freeze({
    ...givenValues,
    ...ownValues,
    type,
    sortable: field.sortable && sortable,
    filterable: field.filterable && filterable,
  }) as Field;
}
