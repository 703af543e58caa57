import { useQuery } from '@tanstack/react-query';
import type { RaRecord } from 'react-admin';
import { dataProvider } from '../../../data/dataProvider';
import type { Option } from '../../properties/ChoiceProperty';

const noOptions: readonly Option[] = [];

/** The names of stored records of a system resource, as suggestions; none if they cannot be read. */
export function useStoredNames(resource: string, field: string): readonly Option[] {
  const { data = noOptions } = useQuery({
    queryKey: [resource, 'studio-names', field],
    queryFn: async ({ signal }) => {
      const pagination = { page: 1, perPage: 100 };
      const sort = { field, order: 'ASC' as const };
      const page = await dataProvider.getList<RaRecord>(resource, { pagination, sort, filter: {}, signal });
      const names = page.data.map((record) => String(record[field]));
      return [...new Set(names)].map((name) => ({ value: name, label: name }));
    },
    retry: false,
    meta: { quiet: true },
  });
  return data;
}
