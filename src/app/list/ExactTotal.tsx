import Button from '@mui/material/Button';
import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { formatNumber } from '../../engine/formats/numbers';
import { reportError } from '../data/ErrorToasts';
import { announce } from '../layout/announce';
import { useApi } from '../session/apiClient';

interface ExactTotalProps {
  totalKey: QueryKey;
  /** The page is beyond the end of the list: where that is must be counted. */
  isNeeded: boolean;
}

/** Counts the records of a list whose number is an estimate: all that shows it has the exact one then (`useBestTotal`). */
export function ExactTotal({ totalKey, isNeeded }: ExactTotalProps) {
  const ask = useApi();
  const queries = useQueryClient();
  const button = useRef<HTMLButtonElement>(null);
  const { mutate: count, isPending } = useMutation({
    mutationFn: async (key: QueryKey) => {
      const [resource, , filter, groups] = key as [string, string, object, string];
      const query = new URLSearchParams({ filter: JSON.stringify(filter), range: '[0,0]', fields: 'id' });
      const { headers } = await ask(`/${resource}?${query.toString()}${groups}`);
      return Number(headers.get('Content-Range')?.split('/').pop());
    },
    onSuccess: (total, key) => {
      // The button goes: the focus stays beside it.
      if (button.current?.matches(':focus'))
        button.current.closest('footer')?.querySelector<HTMLElement>('[role=status]')?.focus();
      queries.setQueryData(key, total);
      announce(`${formatNumber(total)} records`);
    },
    onError: reportError,
  });
  const countThis = useEffectEvent(() => count(totalKey));
  useEffect(() => {
    if (isNeeded) countThis();
  }, [isNeeded]);
  return (
    <Button
      ref={button}
      size="small"
      variant="text"
      color="info"
      aria-disabled={isPending}
      onClick={() => !isPending && count(totalKey)}
    >
      {isPending ? 'Counting…' : 'Count exactly'}
    </Button>
  );
}
