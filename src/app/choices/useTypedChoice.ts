import { type KeyboardEvent, useEffect, useEffectEvent, useState } from 'react';
import type { Choice } from './choice';

interface TypedChoiceOptions {
  /** The typed text; empty if nothing was typed that is not chosen. */
  readonly text: string;
  /** The choices for the text, as far as they have come. */
  readonly choices: readonly Choice[];
  readonly loading: boolean;
  pick(choice: Choice): void;
  /** Reports why the text is no choice, which keeps the form from being saved; undefined once it is none any more. */
  onProblem?(message: string | undefined): void;
}

/**
 * What is typed in a box of choices until it is one of them. Enter waits for the server's answer and never submits a form
 * meanwhile; leaving the box takes the one match, or says that there is none.
 *
 * @example const typed = useTypedChoice({ text, choices, loading, pick: choose, onProblem });
 */
export function useTypedChoice({ text, choices, loading, pick, onProblem }: TypedChoiceOptions) {
  const [waitingFor, setWaitingFor] = useState<'first' | 'only'>();
  const [problem, setProblem] = useState<string>();
  const isTyped = text.trim() !== '';
  const say = (message: string | undefined) => {
    if (message === problem) return;
    setProblem(message);
    onProblem?.(message);
  };
  const forget = () => {
    setWaitingFor(undefined);
    say(undefined);
  };
  const take = (choice: Choice | undefined) => {
    if (choice) {
      forget();
      pick(choice);
    } else if (waitingFor !== 'first') say(noMatchMessage(text, choices.length));
  };
  const answer = useEffectEvent(() => {
    if (waitingFor === undefined || loading) return;
    setWaitingFor(undefined);
    take(waitingFor === 'first' ? choices[0] : onlyMatch(text, choices));
  });
  useEffect(() => answer(), [waitingFor, loading]);

  return {
    problem,
    forget,
    onKeyDown(event: KeyboardEvent) {
      if (event.key !== 'Enter' || !isTyped || choices.length > 0) return;
      event.preventDefault();
      if (loading) setWaitingFor('first');
    },
    /** The box is left: whether the text is dealt with, and must not be dropped. */
    leave(): boolean {
      if (!isTyped) return false;
      if (!loading) take(onlyMatch(text, choices));
      else {
        setWaitingFor('only');
        say(`Looking for “${text.trim()}”…`);
      }
      return true;
    },
  };
}

/** The choice that is called so, otherwise the only one that there is. */
function onlyMatch(text: string, choices: readonly Choice[]): Choice | undefined {
  const wanted = text.trim().toLowerCase();
  const named = choices.filter(({ title }) => title.trim().toLowerCase() === wanted);
  const matches = named.length > 0 ? named : choices;
  return matches.length === 1 ? matches[0] : undefined;
}

function noMatchMessage(text: string, count: number): string {
  const problem = count === 0 ? `“${text.trim()}” is none of the choices` : `Several choices match “${text.trim()}”`;
  return `${problem}: choose one, or empty the box.`;
}
