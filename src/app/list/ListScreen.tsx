import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { Definition } from '../../engine/definitions/definition';
import { useDefinitions } from '../admin/DefinitionsContext';
import { lastAddress } from '../preferences/lastAddress';
import { rememberedQuery } from '../preferences/remembered';
import { SkeletonRows } from '../states/SkeletonRows';
import { List } from './List';

/**
 * The list of a resource. Opened without a state in its address it is as it was left, such as for one of its forms; in a
 * newly opened tab, with the filters and the order that the user last had.
 */
export function ListScreen({ definition }: { definition: Definition }) {
  const { actor } = useDefinitions();
  const { search } = useLocation();
  const navigate = useNavigate();
  const [due, setDue] = useState(() => {
    const { name } = definition;
    return search === '' ? (lastAddress(actor.id, name) ?? rememberedQuery(actor.id, name)) : '';
  });
  useEffect(() => {
    if (due === '') return;
    if (search === '') void navigate({ search: due }, { replace: true });
    else setDue('');
  }, [due, navigate, search]);
  return due !== '' && search === '' ? <SkeletonRows /> : <List definition={definition} />;
}
