import type { Actor } from '../access/actor';
import { allowedFields, isGranted, rulesFor } from '../access/access-decision';
import { matchesOnScreen } from '../conditions/match-on-screen';
import { mayMatch } from '../conditions/may-match';
import type { EvaluationContext } from '../conditions/variables';
import type { Definition, Field, FormTab, RecordTile, ResourceRecord, StreamSource } from '../definitions/definition';
import { fillTemplate } from '../definitions/labels';
import type { Registry } from '../registry/registry';
import { isInverse } from '../field-types/inverse';
import { isSequence } from '../field-types/sequence';
import { dependentFieldsOf } from '../forms/dependent-fields';
import { fieldStates } from '../forms/field-states';
import { formAccess } from '../forms/form-access';
import { isEditableInline } from '../lists/inline-edit';
import { embedsOf, recordTitleOf } from '../lists/titles';
import { isEmpty } from '../values/is-empty';
import { tellingFields } from './repeated-texts';
import { propertyOf, requireValue } from '../values/lookups';

/** A property of a record's page. */
export interface PageProperty {
  readonly field: Field;
  /** It can be edited in place. */
  readonly editable: boolean;
  /** Why it cannot be, where the user may expect it. */
  readonly why?: string;
}

/** A part of the text of a record's page: fields with a value that is not said elsewhere in it. */
interface PageText {
  readonly label?: string;
  readonly fields: readonly Field[];
}

/** The page of a record as an actor sees it. */
export interface RecordPage {
  /** The record's key, such as `REQ-14`; undefined: it has none. */
  readonly key?: string;
  /** Its title without the key. */
  readonly heading: string;
  /** The title of the record that it is a part of. */
  readonly within?: string;
  readonly chips: readonly Field[];
  readonly rail: readonly PageProperty[];
  readonly sections: readonly PageText[];
  /** Lists of related records, as tabs. */
  readonly related: readonly FormTab[];
  readonly stream: readonly StreamSource[];
  readonly tiles: readonly RecordTile[];
  /** Why nothing of it can be changed; undefined: something can. */
  readonly refusal?: string;
}

const mostChips = 4;

/**
 * The page of a record for an actor: what their rules and the conditions of fields leave, and what can be edited in place.
 *
 * @example recordPage(requirements, registry, record, actor, evaluationContext)?.heading; // 'One charge an order'
 */
export function recordPage(
  definition: Definition,
  registry: Registry,
  record: ResourceRecord,
  actor: Actor,
  evaluationContext: EvaluationContext,
): RecordPage | null {
  const { page, fields } = definition;
  if (!page) return null;
  const access = formAccess(definition, 'edit', actor, record, evaluationContext);
  const readable = allowedFields(actor, definition, 'view', record, evaluationContext);
  const states = fieldStates(definition, Object.values(fields), 'edit', access, record, evaluationContext);
  const shownFields = (names: readonly string[]) =>
    names.flatMap((name) => {
      const field = fields[name];
      return field && readable.has(name) && propertyOf(states, name).visible ? [field] : [];
    });
  const property = (field: Field): PageProperty => {
    if (access.readOnly || field.readOnly || field.system) return { field, editable: false };
    const reason = refusalOf(field, propertyOf(states, field.name).readOnly);
    return { field, editable: reason === undefined, ...(reason !== undefined && { why: reason }) };
  };
  const refusalOf = (field: Field, readOnly: boolean): string | undefined => {
    if (!access.fields.has(field.name)) return ruleReasons(definition, actor, record, evaluationContext);
    if (readOnly) return `${field.label} cannot be changed as long as the record is as it is now.`;
    if (!isEditableInline(field)) return `${field.label} is changed in the form.`;
    if (dependentFieldsOf(Object.values(fields), field.name).length > 0)
      return `Other fields depend on ${field.label}: it is changed in the form.`;
    return undefined;
  };
  const isListed = ({ resource }: { readonly resource: string }) =>
    isGranted(actor, resource, 'list') && registry.get(resource) !== undefined;
  const rail = shownFields(page.rail).map(property);
  const key = Object.values(fields).find(
    (field) => isSequence(field) && readable.has(field.name) && record[field.name],
  );
  const containerField = Object.values(fields).find((field) => field.container && readable.has(field.name));
  const [parent] = containerField ? embedsOf(containerField, record) : [];
  const rest = key && fillTemplate(definition.recordTitle.replace(`{${key.name}}`, ''), record);
  const heading = rest || recordTitleOf(definition, record);
  const sections = page.sections.map(({ label, fields: names }) => ({ label, fields: shownFields(names) }));
  const shownTexts = new Set(
    tellingFields(
      sections.flatMap((section) => section.fields),
      record,
      heading,
    ),
  );
  return {
    ...(key && { key: String(record[key.name]) }),
    heading,
    ...(containerField && parent && { within: recordTitleOf(registry.get(containerField.to), parent) }),
    chips: page.chips
      ? shownFields(page.chips).filter((field) => !isEmpty(record[field.name]))
      : rail
          .map(({ field }) => field)
          .filter((field) => hasMark(field, registry, record))
          .slice(0, mostChips),
    rail,
    sections: sections
      .map(({ label, fields: sectionFields }) => ({
        ...(label !== undefined && { label }),
        fields: sectionFields.filter((field) => shownTexts.has(field)),
      }))
      .filter((section) => section.fields.length > 0),
    related: relatedLists(definition, readable).filter(
      (tab) => isListed(tab) && (!tab.visible || matchesOnScreen(definition, tab.visible, record, evaluationContext)),
    ),
    stream: page.stream.filter(isListed),
    tiles: page.tiles.filter(isListed),
    ...(access.refusal !== undefined && { refusal: access.refusal }),
  };
}

/** Whether a value has a colour or a shape that tells it apart. */
function hasMark(field: Field, registry: Registry, record: ResourceRecord): boolean {
  if (isEmpty(record[field.name])) return false;
  if (field.options) return field.options.some(({ tone }) => tone !== undefined);
  const shape = registry.get(field.to)?.chip?.shape;
  return shape !== undefined && shape !== 'avatar' && embedsOf(field, record).length > 0;
}

/** The tabs of the form that the page names, and a tab for each field with records that point here. */
function relatedLists({ page, form, fields }: Definition, readable: ReadonlySet<string>): FormTab[] {
  return requireValue(page, 'page').related.flatMap((name): FormTab[] => {
    const tab = form.tabs.find((candidate) => candidate.name === name);
    if (tab) return [tab];
    const field = fields[name];
    if (!field || !isInverse(field) || !readable.has(name)) return [];
    const { resource, field: relation } = field.inverse;
    return [{ name, label: field.label, resource, filter: { [relation]: '$record.id' }, values: {}, pageOnly: false }];
  });
}

/** The permissions that the rules give for a record, in their words. */
function ruleReasons(
  definition: Definition,
  actor: Actor,
  record: ResourceRecord,
  evaluationContext: EvaluationContext,
): string {
  const reasons = rulesFor(actor, definition, 'edit')
    .filter(({ where: condition }) => !condition || mayMatch(condition, record, { ...evaluationContext, actor }))
    .map(({ reason }) => reason);
  return `Your role may change ${reasons.join('; ')}.`;
}
