import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { Definition } from '../../engine/definitions/definition';
import { useDefinitions } from '../admin/DefinitionsContext';
import { rememberedQuery } from '../preferences/remembered';
import { SkeletonRows } from '../states/SkeletonRows';
import { List } from './List';

/** The list of a resource. Opened without a state in its address, it shows what the user last filtered and sorted by. */
export function ListScreen({ definition }: { definition: Definition }) {
  const { actor } = useDefinitions();
  const { search } = useLocation();
  const navigate = useNavigate();
  const [due, setDue] = useState(() => (search === '' ? rememberedQuery(actor.id, definition.name) : ''));
  useEffect(() => {
    if (due === '') return;
    if (search === '') void navigate({ search: due }, { replace: true });
    else setDue('');
  }, [due, navigate, search]);
  return due !== '' && search === '' ? <SkeletonRows /> : <List definition={definition} />;
}
