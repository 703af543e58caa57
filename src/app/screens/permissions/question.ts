import { useSearchParams } from 'react-router-dom';
import { actions } from '../../../engine/definitions/definition';
import type { Question } from './api';

const panel = 'why';

/** The question, kept in the address so that it can be shared; undefined while the panel is closed. */
export function useQuestion(): [Question | undefined, (question: Question | undefined) => void] {
  const [query, setQuery] = useSearchParams();
  const question: Question = {
    user: readId(query, 'user'),
    service: readId(query, 'service'),
    module: query.get('module') ?? undefined,
    action: actions.find((candidate) => candidate === query.get('action')),
    record: readId(query, 'record'),
    field: query.get('field') ?? undefined,
  };
  const ask = (question: Question | undefined) => {
    const values = Object.entries(question ?? {}).filter(([, value]) => value !== undefined);
    const parameters = Object.fromEntries(values.map(([name, value]) => [name, String(value)]));
    setQuery(question ? { panel, ...parameters } : {}, { replace: true });
  };
  return [query.get('panel') === panel ? question : undefined, ask];
}

function readId(query: URLSearchParams, name: string): number | undefined {
  const id = Number(query.get(name));
  return Number.isInteger(id) && id > 0 ? id : undefined;
}
