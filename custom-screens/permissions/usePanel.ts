import useMediaQuery from '@mui/material/useMediaQuery';
import { useState } from 'react';
import { isWhole, useWhy, type Question, type Role, type Why } from './calls';
import type { Cell } from './Matrix';
import { useQuestion } from './question';

const wide = '(min-width: 1200px)';

/** Which panel is open, and what is asked in it. */
export interface PanelState {
  readonly shown: 'rules' | 'why' | undefined;
  readonly question: Question | undefined;
  readonly answer: Why | undefined;
  /** The answer is still the one to the question before. */
  readonly asking: boolean;
  readonly error: Error | null;
  /** There is room for it beside the matrix. */
  readonly beside: boolean;
  readonly ask: (question: Question) => void;
  readonly toggle: (panel: 'rules' | 'why') => void;
  readonly close: () => void;
  /** The cell that a question is about, once it is known whose role is asked for. */
  readonly cellOf: (roles: readonly Role[]) => Cell | undefined;
}

/** The panel of rules is open where there is room; that of a question where the address asks one. */
export function usePanel(): PanelState {
  const beside = useMediaQuery(wide, { noSsr: true });
  const [question, ask] = useQuestion();
  const { data, error, isPlaceholderData } = useWhy(question);
  const answer = question && isWhole(question) ? data : undefined;
  const [open, setOpen] = useState(beside);
  const shown = question ? 'why' : open ? 'rules' : undefined;
  const close = () => {
    setOpen(false);
    if (question) ask(undefined);
  };
  return {
    shown,
    question,
    answer,
    asking: answer !== undefined && isPlaceholderData,
    error,
    beside,
    ask,
    close,
    toggle: (panel) => {
      if (panel === shown) return close();
      ask(panel === 'why' ? {} : undefined);
      if (panel === 'rules') setOpen(true);
    },
    cellOf: (roles) => {
      if (!question?.module || question.user === undefined) return undefined;
      // What was answered last stands until the next answer is there.
      const holds = answer?.user.id === question.user ? answer?.user.role_id : undefined;
      const role = roles.find(({ role_id }) => role_id === holds);
      return role && { role: role.role_id, module: question.module };
    },
  };
}
