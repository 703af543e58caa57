import { useEffect, useEffectEvent } from 'react';
import { useCommands, areSingleKeysOn } from '../../src/app/commands/commands';
import { isOverlayOpen, isTextInput, latinLetter } from '../../src/app/commands/keys';
import { isTypingAhead } from '../../src/app/commands/typeAhead';
import { isSecondKey } from '../../src/app/commands/useCommandKeys';
import type { PersonResult } from './runnerApi';

export interface RunnerCommands {
  result: (result: PersonResult) => void;
  /** Chooses a step; 0 stands for the whole test. */
  step: (step: number) => void;
  comment: () => void;
  /** Chooses files of the step, or of the whole test. */
  attach: () => void;
  defect: () => void;
  edit: () => void;
  next: () => void;
  previous: () => void;
  save: () => void;
  /** Passes the test with all that has no result yet, and saves it. */
  pass: () => void;
  find: () => void;
  help: () => void;
}

const results: Readonly<Record<string, PersonResult>> = { p: 'passed', f: 'failed', b: 'blocked', s: 'skipped' };

/**
 * Runs commands by their keys: letters, unless `enabled` is false, text is edited or a dialog is open; Ctrl+Enter also
 * in text.
 */
export function useRunnerKeys(commands: RunnerCommands, enabled: boolean): void {
  useCommands(() => [
    { id: 'runner keys', label: 'Keys of the runner', keys: '?', keysOnly: true, run: commands.help },
    // Beside the keys of results, none of them opens a dialog over the test by a slip.
    { id: 'no log', label: 'Log time', keys: 'l', isRefused: true, run: () => {} },
  ]);
  const press = useEffectEvent((event: KeyboardEvent) => {
    const { key, target } = event;
    if (event.defaultPrevented || isSecondKey(event) || isTypingAhead() || isOverlayOpen()) return;
    if (key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      commands.save();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || isTextInput(target)) return;
    const keyLetter = latinLetter(event);
    // A key that is held down moves through the tests, and does nothing else twice.
    if (!enabled || !areSingleKeysOn() || (event.repeat && keyLetter !== 'j' && keyLetter !== 'k')) return;
    const result = results[keyLetter];
    if (result) return run(event, () => commands.result(result));
    if (/^\d$/.test(key)) return run(event, () => commands.step(Number(key)));
    const otherCommands: Readonly<Record<string, () => void>> = {
      c: commands.comment,
      a: commands.attach,
      d: commands.defect,
      e: commands.edit,
      j: commands.next,
      k: commands.previous,
      n: commands.pass,
      '/': commands.find,
    };
    if (otherCommands[keyLetter]) run(event, otherCommands[keyLetter]);
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => press(event);
    // Before the keys of the frame, which has another use for some of the letters.
    window.addEventListener('keydown', listener, true);
    return () => window.removeEventListener('keydown', listener, true);
  }, []);
}

function run(event: KeyboardEvent, command: () => void): void {
  event.preventDefault();
  command();
}
