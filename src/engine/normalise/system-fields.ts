import { pinFields } from './pins';
import type { FieldSource, Source } from '../language/source';
import written from './system-fields.json' with { type: 'json' };
import { propertyOf } from '../values/lookups';

// Written as a definition too, so that the resources of stamps and companies are data.
const {
  every: everyField,
  company,
  archive,
  kept: keptField,
} = written as Record<keyof typeof written, Record<string, FieldSource>>;

/**
 * The fields that the engine adds to every resource: id, company, stamps, archive, and versions of pinned relations. A definition can change only their
 * presentation (label, embed). The company appears only in forms of level 1, which belongs to no company and chooses it
 * once: a record never changes its company.
 *
 * @example
 * Object.keys(systemFields(source)); // ['id', 'site_id', 'created_by', 'updated_by', 'created_at', 'updated_at']
 */
export function systemFields(source: Source): Record<string, FieldSource> {
  const scope = source.scope ?? 'company';
  const { id: _id, ...stamps } = everyField;
  return {
    ...withPresentation({ id: propertyOf(everyField, 'id') }, source),
    ...((scope === 'company' || scope === 'both') && withPresentation(company, source, scope === 'company')),
    ...(source.archive && archive),
    ...(source.delete?.keep && keptField),
    ...withPresentation(pinFields(source), source),
    ...withPresentation(stamps, source),
  };
}

const presentationKeys = [
  'label',
  'help',
  'embed',
  'embedFields',
  'sortable',
  'filterable',
  'width',
  'secret',
] as const;

/** The fields with the presentation set by the definition, and whether the company is required. */
function withPresentation(
  fields: Record<string, FieldSource>,
  source: Source,
  isRequired?: boolean,
): Record<string, FieldSource> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const ownSource = source.fields[name] ?? {};
      const presentation = presentationKeys
        .filter((key) => ownSource[key] !== undefined)
        .map((key) => [key, ownSource[key]]);
      const requirement = isRequired !== undefined && { required: ownSource.required ?? isRequired };
      return [name, { ...field, ...Object.fromEntries(presentation), ...requirement } as FieldSource];
    }),
  );
}
