import useMediaQuery from '@mui/material/useMediaQuery';
import { useState } from 'react';
import { isComplete, useWhy, type Question, type Role, type Why } from './api';
import type { Cell } from './Matrix';
import { useSearchParams } from 'react-router-dom';
import { actions } from '../../../engine/definitions/definition';

const panel = 'why';

/** The question, kept in the address so that it can be shared; undefined while the panel is closed. */
function useQuestion(): [Question | undefined, (question: Question | undefined) => void] {
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

const wideWidth = '(min-width: 1200px)';

/** Which panel is open, and its question and answer. */
export interface PanelState {
  readonly openPanel: 'rules' | 'why' | undefined;
  readonly question: Question | undefined;
  readonly answer: Why | undefined;
  /** Whether the answer is still that to the previous question. */
  readonly isStale: boolean;
  readonly error: Error | null;
  /** Whether there is room for it beside the matrix. */
  readonly isDocked: boolean;
  readonly ask: (question: Question) => void;
  readonly toggle: (panel: 'rules' | 'why') => void;
  readonly close: () => void;
  /** The cell that a question is about, once the user's role is known. */
  readonly cellOf: (roles: readonly Role[]) => Cell | undefined;
}

/** The panel of rules is open where there is room; the panel of a question when the address has one. */
export function usePanel(): PanelState {
  const isDocked = useMediaQuery(wideWidth, { noSsr: true });
  const [question, ask] = useQuestion();
  const { data, error, isPlaceholderData } = useWhy(question);
  const answer = question && isComplete(question) ? data : undefined;
  const [open, setOpen] = useState(isDocked);
  const openPanel = question ? 'why' : open ? 'rules' : undefined;
  const close = () => {
    setOpen(false);
    if (question) ask(undefined);
  };
  return {
    openPanel,
    question,
    answer,
    isStale: answer !== undefined && isPlaceholderData,
    error,
    isDocked,
    ask,
    close,
    toggle: (panel) => {
      if (panel === openPanel) return close();
      ask(panel === 'why' ? {} : undefined);
      if (panel === 'rules') setOpen(true);
    },
    cellOf: (roles) => {
      if (!question?.module || question.user === undefined) return undefined;
      // The previous answer stays until the next one arrives.
      const roleId = answer?.user.id === question.user ? answer?.user.role_id : undefined;
      const role = roles.find(({ role_id }) => role_id === roleId);
      return role && { role: role.role_id, module: question.module };
    },
  };
}
