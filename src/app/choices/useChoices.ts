import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Choice, ChoiceSource } from './choice';

const pause = 200;

/** What a source offers for the typed text, a moment after the typing. */
export function useChoices(source: ChoiceSource, text: string, enabled: boolean) {
  const waited = useWaited(text.trim(), pause);
  const { data, isFetching, error } = useQuery({
    queryKey: ['choices', ...source.key, waited],
    queryFn: ({ signal }) => source.load(waited, signal),
    enabled: enabled && source.blocked === undefined,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    meta: { quiet: true },
  });
  return { choices: data ?? none, loading: isFetching || waited !== text.trim(), error };
}

const none: readonly Choice[] = [];

/** A value that follows another when that has stood still for some milliseconds; at once when it is emptied. */
function useWaited(value: string, milliseconds: number): string {
  const [waited, setWaited] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setWaited(value), value === '' ? 0 : milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return waited;
}
