import type { Source, FieldSource } from './source';

/**
 * What the engine adds to every resource: id, company, stamps, archive. A definition may decide how they show
 * (label, embed), never what they are. The company shows in forms of level 1 alone, who belongs to none and chooses it
 * once: a record never changes company.
 */
export function systemFields(source: Source): Record<string, FieldSource> {
  const scope = source.scope ?? 'company';
  const written = source.fields;
  const fixed = (name: string, field: FieldSource): FieldSource => ({ ...field, ...presentation(written[name]) });
  return {
    id: { type: 'number', integer: true, readOnly: true, label: 'Id', width: 'quarter' },
    ...((scope === 'company' || scope === 'both') && {
      site_id: {
        label: 'Company', embed: 'site', required: scope === 'company', ...presentation(written.site_id),
        ...(written.site_id?.required !== undefined && { required: written.site_id.required }),
        type: 'relation', to: 'sites', onDelete: 'restrict',
        visible: { '$actor.level': 1 }, readOnly: { id: { $exists: true } },
      }, // prettier-ignore
    }),
    ...(source.archive && {
      archive: { type: 'boolean', computed: { archived_at: { $exists: true } }, label: 'Archived' },
      archived_at: { type: 'datetime', readOnly: true },
      archived_with: { type: 'number', integer: true, readOnly: true, secret: true },
    }),
    ...(source.delete?.keep && { deleted_at: { type: 'datetime', readOnly: true, secret: true } }),
    created_by: fixed('created_by', {
      type: 'relation',
      to: 'users',
      readOnly: true,
      onDelete: 'clear',
      label: 'Created By',
    }),
    updated_by: fixed('updated_by', {
      type: 'relation',
      to: 'users',
      readOnly: true,
      onDelete: 'clear',
      label: 'Updated By',
    }),
    created_at: fixed('created_at', { type: 'datetime', readOnly: true, label: 'Created At' }),
    updated_at: fixed('updated_at', { type: 'datetime', readOnly: true, label: 'Updated At' }),
  };
}

function presentation(field: FieldSource | undefined): FieldSource {
  if (!field) return {};
  const { label, help, embed, embedFields, sortable, filterable, width, secret } = field;
  const chosen = { label, help, embed, embedFields, sortable, filterable, width, secret };
  return Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== undefined));
}
