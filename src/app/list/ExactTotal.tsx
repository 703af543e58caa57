import Button from '@mui/material/Button';
import { hashKey, useMutation, useQueryClient } from '@tanstack/react-query';
import type { GetListParams, GetListResult } from 'react-admin';
import { formatNumber } from '../../engine/formats/numbers';
import { filterWithFixed } from '../../engine/lists/tabs';
import { reportError } from '../data/ErrorToasts';
import { announce } from '../layout/announce';
import { useApi } from '../session/apiClient';
import { useResourceList } from './ResourceList';

/** Counts the records of the surrounding list, whose number is an estimate: all that shows it has the exact one then. */
export function ExactTotal() {
  const ask = useApi();
  const queries = useQueryClient();
  const { resource, state, fixedValues: fixedFilter } = useResourceList();
  const filter = filterWithFixed(state, fixedFilter);
  const { mutate: count, isPending } = useMutation({
    mutationFn: async () => {
      const query = new URLSearchParams({ filter: JSON.stringify(filter), range: '[0,0]', fields: 'id' });
      const { headers } = await ask(`/${resource}?${query.toString()}`);
      return Number(headers.get('Content-Range')?.split('/').pop());
    },
    onSuccess: (total) => {
      for (const [queryKey, page] of queries.getQueriesData<GetListResult>({ queryKey: [resource, 'getList'] })) {
        const params = queryKey[2] as GetListParams | undefined;
        if (
          page &&
          params &&
          !(params.meta as { query?: string } | undefined)?.query &&
          hashKey([params.filter]) === hashKey([filter])
        )
          queries.setQueryData(queryKey, { ...page, total });
      }
      announce(`${formatNumber(total)} records`);
    },
    onError: reportError,
  });
  return (
    <Button size="small" variant="text" color="info" disabled={isPending} onClick={() => count()}>
      {isPending ? 'Counting…' : 'Count exactly'}
    </Button>
  );
}
