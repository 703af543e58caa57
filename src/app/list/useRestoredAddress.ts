import { useEffect, useState } from 'react';
import { realUser } from '../../engine/access/actor';
import { useDefinitions } from '../data/DefinitionsContext';
import { lastAddress } from '../preferences/lastAddress';
import { knownViews } from '../preferences/knownViews';
import { isRemembered, rememberedQuery } from '../preferences/rememberedScreens';
import { previousPath } from '../preferences/previousPath';
import { useListAddress } from '../navigation/listAddress';

/**
 * Restores the state of a screen that is opened without one in its address: as it was left when returning from one of
 * its forms, else the saved view that it opens with, else the remembered filters without those that came from a link. True until the address has the state.
 *
 * @example if (useRestoredAddress('tasks')) return null;
 */
export function useRestoredAddress(screen: string): boolean {
  const person = realUser(useDefinitions().actor).id;
  const { search, change } = useListAddress();
  const [pendingQuery, setPendingQuery] = useState(() => (search === '' ? queryToRestore(person, screen) : ''));
  useEffect(() => {
    if (pendingQuery === '') return;
    if (search === '') change(`?${pendingQuery}`, { replace: true });
    else setPendingQuery('');
  }, [change, pendingQuery, search]);
  return pendingQuery !== '' && search === '';
}

function queryToRestore(person: number, screen: string): string {
  const storedQuery = rememberedQuery(person, screen);
  const last = lastAddress(person, screen);
  if (last !== null && previousPath().startsWith(`/${screen}/`)) return last;
  const first = knownViews(person, screen);
  if (first) return `view=${first}`;
  return last !== null && isRemembered(last, storedQuery) ? last : storedQuery;
}
