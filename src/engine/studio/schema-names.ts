import { writtenTypeOf } from '../field-types';
import type { FieldTypeName } from '../definitions/definition';
import { labelOf } from '../definitions/labels';
import type { Source } from '../definitions/source';
import { systemFields } from '../definitions/system-fields';
import { isJsonObject, valueAtPath } from './json';

/** Names outside of the definition: other definitions. */
export interface KnownNames {
  /** The names of all resources. */
  readonly resources?: readonly string[];
  /** The names of the fields of a resource. */
  readonly fieldsOf?: (resource: string) => readonly string[];
  /** The relations that point to a resource, as `resource.field`. */
  readonly relationsTo?: (resource: string) => readonly string[];
  readonly icons?: readonly string[];
}

/** A name that is allowed at a place, and its description. */
export interface NamedItem {
  readonly name: string;
  readonly description?: string;
}

const resourcePattern = /^(fields\/[^/]+\/to|parameters\/[^/]+\/to|form\/tabs\/\d+\/list|.*\/resource)$/;
const iconPattern = /(^|\/)icon$/;
const fieldPatterns = [
  /^fields\/[^/]+\/(notBefore|after|on|from|per|currency|limitedBy)$/,
  /^fields\/[^/]+\/shares\/[\d-]+$/,
  /^fields\/[^/]+\/transitions\/[\d-]+\/needs\/[\d-]+$/,
  /^parameters\/[^/]+\/field$/,
  /^list\/(columns|sortChoices|bulkEdit|inlineEdit|tree|group\/fields|card\/marks|card\/lines|kanban\/lines|kanban\/counts|gallery\/fields)\/[\d-]+(\/field)?$/,
  /^list\/(sort|group\/by|card\/person|card\/counts\/[\d-]+\/field|filters\/[^/]+\/field)$/,
  /^list\/saved\/[\d-]+\/(columns\/[\d-]+|group)$/,
  /^list\/charts\/[\d-]+\/(group|by|sum|avg)$/,
  /^list\/kanban\/(column|priority|person|due|late|sum)$/,
  /^list\/(calendar|timeline)\/(start|end|colour|person|group)$/,
  /^list\/gallery\/image$/,
  /^form\/sections\/[\d-]+\/(alternatives\/[\d-]+\/)?fields\/[\d-]+$/,
  /^requests\/[^/]+\/(sets|asks|required|ignored)\/[\d-]+$/,
  /^rules\/[\d-]+\/(fields|except)\/[\d-]+$/,
  /^(indexes|unique|import\/paths)\/[\d-]+\/[\d-]+$/,
  /^unique\/[\d-]+\/fields\/[\d-]+$/,
  /^validate\/[\d-]+\/at$/,
  /^import\/(fields|steps)\/[\d-]+$/,
  /^export\/columns\/[\d-]+$/,
  /^(copy\/field|copy\/keeps|copy\/resets\/[\d-]+|choices\/detail\/[\d-]+|import\/ask)$/,
];
const keyPatterns =
  /^(list\/filters|list\/totals|import\/synonyms|import\/values|requests\/[^/]+\/(visible|sets)|list\/(tabs|saved)\/[\d-]+\/filter)$/;
const conditionPattern =
  /(^|\/)(required|readOnly|visible|visibleOnRecord|computed|where|when|must|if|done|named\/[^/]+)(\/|$)/;

/** The fields of a definition by name, including system fields, with their labels. */
export function fieldNames(source: unknown): NamedItem[] {
  if (!isJsonObject(source) || !isJsonObject(source.fields)) return [];
  const written = { labels: {}, ...source } as unknown as Source;
  const all = { ...source.fields, ...systemFields(written), ...source.fields } as Record<string, unknown>;
  return Object.entries(all).map(([name, field]) => ({
    name,
    description: isJsonObject(field) && typeof field.label === 'string' ? field.label : labelOf(name),
  }));
}

/** The names that are allowed as text at a place. */
export function namesAt(source: unknown, steps: readonly string[], known: KnownNames): NamedItem[] {
  const path = steps.join('/');
  const type = valueAtPath(source, [...steps.slice(0, 2), 'type']);
  const plain = (names: readonly string[] = []): NamedItem[] => names.map((name) => ({ name }));
  if (steps[0] === 'fields' && steps[2] === 'to' && writtenTypeOf({ type: type as FieldTypeName }).references?.to)
    return fieldNames(source);
  if (resourcePattern.test(path)) return plain(known.resources);
  if (iconPattern.test(path)) return plain(known.icons);
  if (/^list\/(saved\/[\d-]+\/)?sort$/.test(path))
    return fieldNames(source).flatMap((one) => [one, { ...one, name: `-${one.name}` }]);
  if (fieldPatterns.some((place) => place.test(path))) return fieldNames(source);
  if (steps[0] !== 'fields') return [];
  const target = valueAtPath(source, [...steps.slice(0, 2), 'to']);
  if (steps[2] === 'embedFields' && typeof target === 'string') return plain(known.fieldsOf?.(target));
  if (steps[2] === 'of') return plain(known.relationsTo?.(String(valueAtPath(source, ['name']))));
  const of = valueAtPath(source, [...steps.slice(0, 2), 'of']);
  if ((steps[2] === 'show' || steps[2] === 'sum') && typeof of === 'string')
    return plain(known.fieldsOf?.(of.split('.')[0]!));
  return [];
}

/** Variables that a condition can compare with. */
export const conditionVariables: readonly NamedItem[] = [
  { name: '$actor.id', description: 'The user who is signed in.' },
  { name: '$actor.level', description: "The level of the user's role, 1 to 6." },
  { name: '$actor.role', description: "The key of the user's role." },
  { name: '$actor.role_id', description: "The id of the user's role." },
  { name: '$actor.site_id', description: "The user's company." },
  { name: '$actor.lists', description: 'The modules that the role can list.' },
  { name: '$today', description: 'The current day.' },
  { name: '$now', description: 'The current time.' },
  {
    name: '$today+7d',
    description: 'So many days (d), weeks (w), months (m) or years (y) from today; `-` for the past.',
  },
  {
    name: '$now-3h',
    description: 'So many minutes (min), hours (h), days (d) or weeks (w) from now; `-` for the past.',
  },
];

/** The keys that an object at a place can have besides those in its schema: fields, and variables in conditions. */
export function keyNamesAt(source: unknown, steps: readonly string[], known: KnownNames): NamedItem[] {
  const path = steps.join('/');
  const own = fieldNames(source);
  if (keyPatterns.test(path)) {
    const parameters = valueAtPath(source, ['parameters']);
    const more = /^list\/(filters|tabs|saved)/.test(path) && isJsonObject(parameters) ? Object.keys(parameters) : [];
    return [...own, ...more.filter((name) => !own.some((one) => one.name === name)).map((name) => ({ name }))];
  }
  if (path === 'fields')
    return own.filter(({ name }) => ['created_by', 'updated_by', 'created_at', 'updated_at', 'site_id'].includes(name));
  if (!isConditionAt(steps)) return [];
  const target = targetOfChoices(source, steps);
  if (target === null) return [...own, ...conditionVariables];
  return [...(known.fieldsOf?.(target) ?? []).map((name) => ({ name })), ...conditionVariables];
}

/** The resource whose fields are the keys of `choices`; null if a condition is about the definition's own fields. */
function targetOfChoices(source: unknown, steps: readonly string[]): string | null {
  const filter = steps[0] === 'list' && steps[1] === 'filters' && steps[3] === 'choices';
  if (!filter && !(steps[0] === 'fields' && steps[2] === 'choices')) return null;
  const name = filter ? (valueAtPath(source, [...steps.slice(0, 3), 'field']) ?? steps[2]!) : steps[1]!;
  const to = ['fields', 'parameters'].map((part) => valueAtPath(source, [part, String(name), 'to']));
  return String(to.find((one) => typeof one === 'string') ?? '');
}

/** Whether there is a condition at a place, or a part of one that contains fields. */
export function isConditionAt(steps: readonly string[]): boolean {
  const path = steps.join('/');
  const last = steps.at(-1) ?? '';
  if (!conditionPattern.test(path) && !/^fields\/[^/]+\/choices|^list\/filters\/[^/]+\/choices/.test(path))
    return false;
  return (
    /^(required|readOnly|visible|visibleOnRecord|computed|where|when|must|if|done|choices|\d+|\$not)$/.test(last) ||
    /\/named\/[^/]+$/.test(path)
  );
}
