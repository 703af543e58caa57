import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { RaRecord } from 'react-admin';
import { dataProvider } from '../../../admin/dataProvider';
import { rulesFor } from '../../../../engine/access/access-decision';
import type { RoleHolder } from '../../../../engine/access/audience';
import type { Definition, ResourceRecord } from '../../../../engine/definitions/definition';
import { ruleRelations, type Related } from './previewWorld';

/** The most records that a preview loads; more if the viewer's rules hide some of them. */
const maxRecords = 50;
const maxRestrictedRecords = 300;
const none: readonly ResourceRecord[] = [];
/** The most related records that are loaded; beyond that, rules about them count as fulfilled. */
const maxRelated = 25;

/** The first stored records of a company, loaded once; a new module has none. */
export function useStoredRecords(
  published: Definition | undefined,
  draft: Definition,
  actor: RoleHolder,
  company: number,
  version: number,
) {
  const perPage = isRestricted(published, actor) || isRestricted(draft, actor) ? maxRestrictedRecords : maxRecords;
  const { data, error } = useQuery({
    queryKey: ['studio-preview', published?.name, company, version, perPage],
    queryFn: async ({ signal }) => {
      const { name, list } = published!;
      const pagination = { page: 1, perPage };
      const filter = filterOf(published!, company);
      const found = await dataProvider.getList<RaRecord>(name, { pagination, sort: { ...list.sort }, filter, signal });
      return found.data as readonly ResourceRecord[];
    },
    enabled: published !== undefined,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    meta: { quiet: true },
  });
  return { stored: published ? data : none, error };
}

function isRestricted(definition: Definition | undefined, actor: RoleHolder): boolean {
  return definition !== undefined && rulesFor(actor, definition, 'list').some(({ where }) => where);
}

function filterOf({ scope }: Definition, company: number): ResourceRecord {
  if (scope === 'self') return { id: [company] };
  return scope === 'company' ? { site_id: company } : {};
}

/** The related records that the actor's row rules refer to. */
export function useRelatedRecords(draft: Definition, actor: RoleHolder, stored: readonly ResourceRecord[]): Related {
  const asked = useMemo(() => {
    const names = ruleRelations(draft, actor);
    return names.flatMap((name) => {
      const { to, was: former = name } = draft.fields[name] ?? {};
      if (to === undefined) return [];
      const ids = new Set(stored.map((record) => Number(record[name] ?? record[former])).filter((id) => id > 0));
      return ids.size > maxRelated ? [] : [...ids].map((id) => ({ name, to, id }));
    });
  }, [actor, draft, stored]);
  const results = useQueries({
    queries: asked.map(({ to, id }) => ({
      queryKey: ['studio-preview', 'related', to, id],
      queryFn: async () => (await dataProvider.getOne<RaRecord>(to, { id })).data as ResourceRecord,
      staleTime: Infinity,
      meta: { quiet: true },
    })),
    combine: (all) => all.map(({ data }) => data),
  });
  return useMemo(() => {
    const related: Record<string, Map<number, ResourceRecord>> = {};
    asked.forEach(({ name, id }, index) => {
      const record = results[index];
      if (record) (related[name] ??= new Map()).set(id, record);
    });
    return related;
  }, [asked, results]);
}
