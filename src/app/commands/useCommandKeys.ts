import { useEffect, useEffectEvent } from 'react';
import { currentCommands, type Command, areSingleKeysOn } from './commands';
import { isOverlayOpen, isTextInput, keysOf } from './keys';
import { typeAhead } from './typeAhead';

/** Milliseconds in which the second key of a pair such as `g t` follows the first. */
const pairPatience = 1_500;

/** Keys with Ctrl that select, move or take back what is typed in a text. */
const textKeys = new Set(['Ctrl+A', 'Ctrl+C', 'Ctrl+V', 'Ctrl+X', 'Ctrl+Y', 'Ctrl+Z']);

/** The first key of a pair, which the second may follow until a time of an event. */
let firstKey = { keys: '', endTime: 0 };

/**
 * Whether an event may be the second key of a pair (`g t`): other listeners leave it alone.
 *
 * @example if (isSecondKey(event)) return;
 */
export const isSecondKey = (event: KeyboardEvent): boolean => event.timeStamp < firstKey.endTime;

type KeyedCommand = Pick<Command, 'run' | 'isRepeatable' | 'opensInput'>;

interface CommandKeys {
  /** Ctrl+K, also in text and over a dialog. */
  onPalette: () => void;
  /** `?`, unless a command of the screen has it. */
  onHelp: () => void;
}

/**
 * Runs the current commands by their keys, or by two keys one after the other (`g t`). Single keys work where no text is
 * typed, and can be switched off.
 *
 * @example useCommandKeys({ onPalette: openPalette, onHelp: openHelp }, true);
 */
export function useCommandKeys({ onPalette, onHelp }: CommandKeys, enabled: boolean): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    // While a text is composed, keys belong to the input method.
    if (event.defaultPrevented || event.isComposing || event.altKey) return;
    const keys = keysOf(event);
    if (keys === 'Ctrl+K') return run(event, onPalette);
    const isSingle = !keys.includes('+') || keys === '+';
    if ((isSingle || textKeys.has(keys)) && isTextInput(event.target)) return;
    if (isSingle && !areSingleKeysOn()) return;
    const commands = currentCommands();
    const commandOf = (name: string) => commands.find((candidate) => candidate.keys === name);
    const second = isSecondKey(event) && commandOf(`${firstKey.keys} ${keys}`);
    const beginsPair = isSingle && !second && commands.some((candidate) => candidate.keys?.startsWith(`${keys} `));
    firstKey = { keys, endTime: beginsPair ? event.timeStamp + pairPatience : 0 };
    const shifted = event.shiftKey && commandOf(`Shift+${keys.toUpperCase()}`);
    const help = keys === '?' && { run: onHelp };
    const command: KeyedCommand | false = second || shifted || commandOf(keys) || help;
    // The whole page is searched for an overlay: not at every key.
    if (!command || isOverlayOpen() || (event.repeat && !command.isRepeatable)) return;
    run(event, command.run);
    if (command.opensInput) typeAhead();
  });
  useEffect(() => {
    if (!enabled) return;
    const listener = (event: KeyboardEvent) => press(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, [enabled]);
}

function run(event: KeyboardEvent, command: () => void): void {
  event.preventDefault();
  command();
}
