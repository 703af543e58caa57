import { labelOf } from '../../../engine/definitions/labels';
import { isPathField, isSingleValue } from '../../../engine/registry/path-fields';
import type { Registry } from '../../../engine/registry/registry';
import type { Definition } from '../../../engine/definitions/definition';
import type { AnyFieldSource, FieldSource, Source } from '../../../engine/language/source';
import { fieldTypeOf, writtenTypeOf } from '../../../engine/field-types';
import { isMoney } from '../../../engine/field-types/money';
import { isCurrencyCode } from '../../../engine/formats/money';
import type { Option } from './ChoiceProperty';
import { allFields, fieldOptions } from './fieldOptions';

/** The relations of other modules that point to this one, as `resource.field`. */
export function inverseOptions(registry: Registry, name: string): Option[] {
  return registry.referencesTo(name).map(({ definition, field }) => ({
    value: `${definition.name}.${field.name}`,
    label: `${definition.labels.many}, by ${field.label}`,
  }));
}

/** The sources of a rollup: rows of the module's own records, and the relations that point to it. */
export function rollupOptions(registry: Registry, source: Source): Option[] {
  const rowOptions = fieldOptions(source, (field) => writtenTypeOf(field).holds === 'rows');
  return [
    ...rowOptions.map(({ value, label }) => ({ value, label: `${label}, rows of the record` })),
    ...inverseOptions(registry, source.name),
  ];
}

/** The columns of the rows that a rollup is over; undefined if it is over records. */
export function rolledUpColumns(source: Source, { source: path }: AnyFieldSource): [string, FieldSource][] | undefined {
  if (path === undefined || path.includes('.')) return undefined;
  return Object.entries(source.fields[path]?.fields ?? {});
}

/** The fields of the resource that a relation or inverse points to. */
export function targetOptions(
  registry: Registry,
  source: Source,
  { to: targetName, source: path }: AnyFieldSource,
): Option[] {
  const name = targetName ?? path?.split('.')[0];
  if (name === source.name) return fieldOptions(source);
  const target = registry.get(name);
  const options = (target ? Object.values(target.fields) : []).flatMap((field) => [
    ...(field.secret || isPathField(field) ? [] : [{ value: field.name, label: field.label }]),
    ...(field.embed ? [{ value: field.embed, label: labelOf(field.embed) }] : []),
  ]);
  return [...new Map(options.map((option) => [option.value, option])).values()];
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
export function summedFieldOptions(registry: Registry, source: Source, { source: path }: AnyFieldSource): Option[] {
  const name = path?.split('.')[0];
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
  const relations = Object.entries(allFields(source)).filter(
    ([, field]) => writtenTypeOf(field).holds === 'record' && !field.secret,
  );
  return relations.flatMap(([name, { to: target, label = labelOf(name) }]) =>
    pathsBelow(registry, target, name, label, offeredRelations),
  );
}

/**
 * The paths of a list: `company.country.name`, by the embeds of relations. Those through fields of the system, such as the
 * author, can be typed.
 */
export function listPathOptions(registry: Registry, source: Source): Option[] {
  return Object.entries(source.fields).flatMap(([name, field]) => {
    if (writtenTypeOf(field).holds !== 'record' || field.secret || field.computed !== undefined) return [];
    const { to: target, embed = name, label = labelOf(name) } = field;
    return pathsBelow(registry, target, embed, label, offeredRelations, 'embeds');
  });
}

function pathsBelow(
  registry: Registry,
  targetName: string | undefined,
  path: string,
  label: string,
  left: number,
  link: 'relations' | 'embeds' = 'relations',
): Option[] {
  const isOfList = link === 'embeds';
  return shownFields(registry.get(targetName)).flatMap((field) => {
    const { holds: valueKind } = fieldTypeOf(field);
    const option = { value: `${path}.${field.name}`, label: `${label} › ${field.label}` };
    if (valueKind === 'referrers' || valueKind === 'rows' || (isOfList && field.system)) return [];
    if (valueKind !== 'record') return isOfList && !isSingleValue(field) ? [] : [option];
    if (left <= 1) return isOfList ? [] : [option];
    const next = isOfList ? `${path}.${field.embed ?? field.name}` : option.value;
    const deeperOptions = pathsBelow(registry, field.to, next, option.label, left - 1, link);
    return isOfList ? deeperOptions : [option, ...deeperOptions];
  });
}

const shownFields = (definition: Definition | undefined) =>
  Object.values(definition?.fields ?? {}).filter((field) => !field.secret && !isPathField(field));
