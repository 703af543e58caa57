import { type KeyboardEvent, type RefObject, type SyntheticEvent, useEffect, useEffectEvent, useState } from 'react';
import type { Choice } from './choice';

interface TypedChoiceOptions {
  /** The typed text; empty if nothing was typed that is not chosen. */
  readonly text: string;
  /** The choices for the text, as far as they have come. */
  readonly choices: readonly Choice[];
  readonly loading: boolean;
  /** Holds the box that is invalid meanwhile. */
  readonly box?: RefObject<HTMLElement | null>;
  pick(choice: Choice): void;
  /** Reports why the text is no choice, which keeps the form from being saved; undefined once it is none any more. */
  onProblem?(message: string | undefined): void;
  /** Reports that a text is typed that is not chosen yet. */
  onPending?(message: string | undefined): void;
}

const notChosen = 'Choose one of the choices for what was typed, or empty the box.';

/**
 * Follows what is typed in a box of choices until it is one of them. Enter waits for the server's answer and never
 * submits a form meanwhile; leaving the box takes the one match, or says that there is none. Until then the box is
 * invalid, so that no form around it is submitted without the text.
 *
 * @example const typed = useTypedChoice({ text, choices, loading, pick: choose, onProblem });
 */
export function useTypedChoice({ text, choices, loading, box, pick, onProblem, onPending }: TypedChoiceOptions) {
  const [waitingFor, setWaitingFor] = useState<'first' | 'only'>();
  const [problem, setProblem] = useState<string>();
  const isTyped = text.trim() !== '';
  const say = (message: string | undefined) => {
    if (message === problem) return;
    setProblem(message);
    onProblem?.(message);
  };
  const report = (message: string | undefined) => {
    onPending?.(message);
    box?.current?.querySelector('input')?.setCustomValidity(message ?? '');
  };
  const forget = () => {
    setWaitingFor(undefined);
    say(undefined);
  };
  const take = (choice: Choice | undefined) => {
    if (choice) {
      forget();
      report(undefined);
      pick(choice);
    } else if (waitingFor !== 'first') say(noMatchMessage(text, choices.length));
  };
  const answer = useEffectEvent(() => {
    if (waitingFor === undefined || loading) return;
    setWaitingFor(undefined);
    take(waitingFor === 'first' ? choices[0] : onlyMatch(text, choices));
  });
  useEffect(() => answer(), [waitingFor, loading]);
  const reportTyped = useEffectEvent(() => report(isTyped ? notChosen : undefined));
  useEffect(() => reportTyped(), [isTyped]);
  const end = useEffectEvent(() => {
    onPending?.(undefined);
    onProblem?.(undefined);
  });
  useEffect(() => () => end(), []);
  const leave = (): boolean => {
    if (!isTyped) return false;
    if (!loading) take(onlyMatch(text, choices));
    else {
      setWaitingFor('only');
      say(`Looking for “${text.trim()}”…`);
    }
    return true;
  };

  return {
    problem,
    forget,
    /** The box is left: whether the text is dealt with, and must not be dropped. */
    leave,
    onKeyDown(event: KeyboardEvent) {
      if (event.key === 'Tab') leave();
      if (event.key !== 'Enter' || !isTyped || choices.length > 0) return;
      event.preventDefault();
      if (loading) setWaitingFor('first');
    },
    /** A form around the box was not submitted because of the text: says so in words of its own. */
    onInvalid(event: SyntheticEvent<HTMLInputElement>) {
      event.preventDefault();
      event.currentTarget.focus();
      say(problem ?? notChosen);
    },
  };
}

/** The choice that is called so, otherwise the only one that there is. */
function onlyMatch(text: string, choices: readonly Choice[]): Choice | undefined {
  const searchText = text.trim().toLowerCase();
  const equalTitles = choices.filter(({ title }) => title.trim().toLowerCase() === searchText);
  const matches = equalTitles.length > 0 ? equalTitles : choices;
  return matches.length === 1 ? matches[0] : undefined;
}

function noMatchMessage(text: string, count: number): string {
  const problem = count === 0 ? `“${text.trim()}” is none of the choices` : `Several choices match “${text.trim()}”`;
  return `${problem}: choose one, or empty the box.`;
}
