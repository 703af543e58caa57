import type { FieldSource, Source } from './source';
import written from './system-fields.json';

// Written in the language of definitions, like every other field: which records stamps and companies are is data.
const { every, company, archive, kept } = written as Record<keyof typeof written, Record<string, FieldSource>>;

/**
 * What the engine adds to every resource: id, company, stamps, archive. A definition may decide how they show
 * (label, embed), never what they are. The company shows in forms of level 1 alone, who belongs to none and chooses it
 * once: a record never changes company.
 */
export function systemFields(source: Source): Record<string, FieldSource> {
  const scope = source.scope ?? 'company';
  const { id, ...stamps } = every;
  return {
    ...shown({ id: id! }, source),
    ...((scope === 'company' || scope === 'both') && shown(company, source, scope === 'company')),
    ...(source.archive && archive),
    ...(source.delete?.keep && kept),
    ...shown(stamps, source),
  };
}

const presentation = ['label', 'help', 'embed', 'embedFields', 'sortable', 'filterable', 'width', 'secret'] as const;

/** The fields with what the definition says of their looks, and whether the company must be there. */
function shown(fields: Record<string, FieldSource>, source: Source, required?: boolean): Record<string, FieldSource> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const own = source.fields[name] ?? {};
      const chosen = presentation.filter((key) => own[key] !== undefined).map((key) => [key, own[key]]);
      const must = required !== undefined && { required: own.required ?? required };
      return [name, { ...field, ...Object.fromEntries(chosen), ...must } as FieldSource];
    }),
  );
}
