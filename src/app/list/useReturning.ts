import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { personOf } from '../../engine/access/actor';
import { useDefinitions } from '../admin/DefinitionsContext';
import { lastAddress } from '../preferences/lastAddress';
import { isKept, rememberedQuery } from '../preferences/remembered';
import { previousPath } from '../preferences/trail';

/**
 * Opened without a state in its address a screen is as it was left for one of its forms. Otherwise what was set by hand
 * is there again, and what a link had set is not: that was for its visit. True until the address says so.
 */
export function useReturning(screen: string): boolean {
  const person = personOf(useDefinitions().actor).id;
  const { search } = useLocation();
  const navigate = useNavigate();
  const [due, setDue] = useState(() => (search === '' ? dueQuery(person, screen) : ''));
  useEffect(() => {
    if (due === '') return;
    if (search === '') void navigate({ search: due }, { replace: true });
    else setDue('');
  }, [due, navigate, search]);
  return due !== '' && search === '';
}

function dueQuery(person: number, screen: string): string {
  const kept = rememberedQuery(person, screen);
  const last = lastAddress(person, screen);
  if (last === null) return kept;
  return previousPath().startsWith(`/${screen}/`) || isKept(last, kept) ? last : kept;
}
