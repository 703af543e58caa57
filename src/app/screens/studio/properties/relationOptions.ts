import { labelOf } from '../../../../engine/definitions/labels';
import { isPathField, isSingleValue } from '../../../../engine/definitions/path-fields';
import type { Registry } from '../../../../engine/definitions/registry';
import type { Definition } from '../../../../engine/definitions/definition';
import type { AnyFieldSource, FieldSource, Source } from '../../../../engine/definitions/source';
import { fieldTypeOf, writtenTypeOf } from '../../../../engine/field-types';
import { isMoney } from '../../../../engine/field-types/money';
import { isCurrencyCode } from '../../../../engine/formats/money';
import type { Option } from './ChoiceProperty';
import { allFields, fieldOptions } from './fieldOptions';

/** The relations of other modules that point to this one, as `resource.field`. */
export function inverseOptions(registry: Registry, name: string): Option[] {
  return registry.referencesTo(name).map(({ definition, field }) => ({
    value: `${definition.name}.${field.name}`,
    label: `${definition.labels.many}, by ${field.label}`,
  }));
}

/** What a rollup can be over: rows of the module's own records, and the relations that point to it. */
export function rollupOptions(registry: Registry, source: Source): Option[] {
  const own = fieldOptions(source, (field) => writtenTypeOf(field).holds === 'rows');
  return [
    ...own.map(({ value, label }) => ({ value, label: `${label}, rows of the record` })),
    ...inverseOptions(registry, source.name),
  ];
}

/** The columns of the rows that a rollup is over; undefined if it is over records. */
export function rolledUpColumns(source: Source, { source: of }: AnyFieldSource): [string, FieldSource][] | undefined {
  if (of === undefined || of.includes('.')) return undefined;
  return Object.entries(source.fields[of]?.fields ?? {});
}

/** The fields of the resource that a relation or inverse points to. */
export function targetOptions(registry: Registry, source: Source, { to, source: of }: AnyFieldSource): Option[] {
  const name = to ?? of?.split('.')[0];
  if (name === source.name) return fieldOptions(source);
  const target = registry.get(name);
  const shown = (target ? Object.values(target.fields) : []).flatMap((field) => [
    ...(field.secret || isPathField(field) ? [] : [{ value: field.name, label: field.label }]),
    ...(field.embed ? [{ value: field.embed, label: labelOf(field.embed) }] : []),
  ]);
  return [...new Map(shown.map((way) => [way.value, way])).values()];
}

/** The fields of the resource whose relation points here, or the columns, which a rollup takes. */
export function inverseFieldOptions(registry: Registry, source: Source, field: AnyFieldSource): Option[] {
  const columns = rolledUpColumns(source, field);
  if (columns) return columns.map(([value, { label = labelOf(value) }]) => ({ value, label }));
  const name = field.source?.split('.')[0];
  if (name === source.name) return fieldOptions(source);
  return shownFields(registry.get(name)).map(({ name: value, label }) => ({ value, label }));
}

/** The fields that an inverse can sum: numbers, durations, and amounts that are all in one currency. */
export function summedFieldOptions(registry: Registry, source: Source, { source: of }: AnyFieldSource): Option[] {
  const name = of?.split('.')[0];
  if (name === source.name)
    return fieldOptions(
      source,
      (field, key) => key !== 'id' && writtenTypeOf(field).isSummable === true && !hasOwnCurrency(field),
    );
  return shownFields(registry.get(name))
    .filter((field) => field.name !== 'id' && fieldTypeOf(field).isSummable === true)
    .filter((field) => !isMoney(field) || field.currencyField === undefined)
    .map(({ name: value, label }) => ({ value, label }));
}

/** Whether each record says the currency of its amount: such amounts cannot be added. */
const hasOwnCurrency = ({ currency }: AnyFieldSource) => currency !== undefined && !isCurrencyCode(currency);

/** The most relations that the paths of a lookup are offered through; more can be typed. */
const offeredRelations = 2;

/** The paths of a lookup: `company_id.name`, `company_id.country_id.name`. */
export function lookupOptions(registry: Registry, source: Source): Option[] {
  const own = Object.entries(allFields(source)).filter(
    ([, field]) => writtenTypeOf(field).holds === 'record' && !field.secret,
  );
  return own.flatMap(([name, { to, label = labelOf(name) }]) =>
    pathsBelow(registry, to, name, label, offeredRelations),
  );
}

/**
 * The paths of a list: `company.country.name`, by the embeds of relations. Those through fields of the system, such as the
 * author, can be typed.
 */
export function listPathOptions(registry: Registry, source: Source): Option[] {
  return Object.entries(source.fields).flatMap(([name, field]) => {
    if (writtenTypeOf(field).holds !== 'record' || field.secret || field.computed !== undefined) return [];
    const { to, embed = name, label = labelOf(name) } = field;
    return pathsBelow(registry, to, embed, label, offeredRelations, 'embeds');
  });
}

function pathsBelow(
  registry: Registry,
  to: string | undefined,
  path: string,
  label: string,
  left: number,
  through: 'relations' | 'embeds' = 'relations',
): Option[] {
  const isOfList = through === 'embeds';
  return shownFields(registry.get(to)).flatMap((field) => {
    const { holds } = fieldTypeOf(field);
    const here = { value: `${path}.${field.name}`, label: `${label} › ${field.label}` };
    if (holds === 'referrers' || holds === 'rows' || (isOfList && field.system)) return [];
    if (holds !== 'record') return isOfList && !isSingleValue(field) ? [] : [here];
    if (left <= 1) return isOfList ? [] : [here];
    const next = isOfList ? `${path}.${field.embed ?? field.name}` : here.value;
    const further = pathsBelow(registry, field.to, next, here.label, left - 1, through);
    return isOfList ? further : [here, ...further];
  });
}

const shownFields = (definition: Definition | undefined) =>
  Object.values(definition?.fields ?? {}).filter((field) => !field.secret && !isPathField(field));
