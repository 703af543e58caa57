import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { personOf } from '../../engine/access/actor';
import { useDefinitions } from '../admin/DefinitionsContext';
import { lastAddress } from '../preferences/lastAddress';
import { rememberedQuery } from '../preferences/remembered';

/**
 * Opened without a state in its address a screen is as it was left, such as for one of its forms; in a newly opened tab,
 * with the filters and the order that the user last had. True until the address says so.
 */
export function useReturning(screen: string): boolean {
  const person = personOf(useDefinitions().actor).id;
  const { search } = useLocation();
  const navigate = useNavigate();
  const [due, setDue] = useState(() =>
    search === '' ? (lastAddress(person, screen) ?? rememberedQuery(person, screen)) : '',
  );
  useEffect(() => {
    if (due === '') return;
    if (search === '') void navigate({ search: due }, { replace: true });
    else setDue('');
  }, [due, navigate, search]);
  return due !== '' && search === '';
}
